"""Answers as text for a terminal, one renderer a question, side by side."""
