"""hanasolve: hint-solver and strategy analyzer for Hanabi and Hanafuda Koi-Koi."""

__version__ = "0.1.0"
