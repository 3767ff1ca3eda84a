"""The report on maxima: its figures, its list of lost decks, the same bytes twice; a small one made from decks."""

from __future__ import annotations

import io
from pathlib import Path

import pandas as pd

from hanasolve.reports.max_score import make, write

ROWS = """source,players,score,upper_bound,max_possible,seconds,method,reason
p2v0s1,2,25,25,25,0.004,search,
p2v0s2,2,25,25,25,0.006,search,
p2v0s220,2,24,24,25,0.010,bound,both g2 are the last two cards
p2v0s3,2,20,25,25,0.100,search,
"""


def test_the_report_counts_what_the_rows_say(tmp_path: Path) -> None:
    for name in "ab":
        write(tmp_path / name, [pd.read_csv(io.StringIO(ROWS))], ["how it was made"])
    text = (tmp_path / "a" / "README.md").read_text(encoding="utf-8")
    assert "seeds s1 to s4 of hanab.live" in text and text.endswith("how it was made\n")
    assert "| 2 | 4 | 2 | 50.00 % |" in text
    assert "| 1, 0, 0, 0 | 1 |" in text  # one deck at 24, one undecided
    assert "| 2 | 8.00 | 30.00 |" in text  # median and mean in ms
    assert "`p2v0s220`: 24; both g2 are the last two cards" in text
    lost = (tmp_path / "a" / "lost.csv").read_text(encoding="utf-8").splitlines()
    assert [line.split(",")[0] for line in lost] == ["source", "p2v0s220", "p2v0s3"]
    for name in ("README.md", "lost.csv", "times.svg"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_it_is_made_from_the_first_decks(tmp_path: Path) -> None:
    """The first 40 decks of 2 players have one that cannot be won, p2v0s40; no other number of players has any."""
    make(tmp_path, decks=40, jobs=1)
    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "| 2 | 40 | 39 | 97.50 % |" in text and "| 5 | 40 | 40 | 100.00 % |" in text
    assert "- `p2v0s40`: 24; the hands are too small" in text
    assert "python -m hanasolve.reports max-score --decks 40\n" in text
    assert len((tmp_path / "lost.csv").read_text(encoding="utf-8").splitlines()) == 2
    assert (tmp_path / "times.svg").read_text(encoding="utf-8").startswith("<svg")
