"""Slow, obviously right twins of the fast parts, and generators of random cases for both."""
