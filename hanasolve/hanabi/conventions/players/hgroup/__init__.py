"""The H-Group convention, levels 1 to 3 (hanabi.github.io): ``docs/h-group.md`` says what is implemented."""
