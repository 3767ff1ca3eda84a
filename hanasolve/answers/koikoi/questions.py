"""Koi-Koi from Python, as ``api.koikoi``: a function for each question, which answers what the command does."""

from hanasolve.answers.koikoi.analyze import analyze
from hanasolve.answers.koikoi.compare import compare
from hanasolve.answers.koikoi.maximum import maximum
from hanasolve.answers.koikoi.score import score

__all__ = ["analyze", "compare", "maximum", "score"]
