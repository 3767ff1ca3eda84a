"""Formats, one a file: each parses to the records of ``records.py`` and writes them back.

``source`` finds out what a text on the command line is; ``hanab_live`` game files; ``replay_url`` links;
``position`` position files; ``deck_file`` and ``text`` decks, cards, clues and actions in words. All but
``snapshot`` (a running table as a position) are plain Python, so that wrong input is refused at once.
"""
