"""Koi-Koi's questions: ``score``, ``maximum``, ``analyze`` and ``compare``, each a file as Hanabi's."""
