"""The report on maxima from a small file: its figures, its list of lost decks, the same bytes twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from hanasolve.errors import NotationError
from hanasolve.reports.max_score import write_report

ROWS = """source,players,score,upper_bound,max_possible,seconds,method,reason
p2v0s1,2,25,25,25,0.004,search,
p2v0s2,2,25,25,25,0.006,search,
p2v0s220,2,24,24,25,0.010,bound,both g2 are the last two cards
p2v0s3,2,20,25,25,0.100,search,
"""


def test_the_report_counts_what_the_rows_say(tmp_path: Path) -> None:
    (tmp_path / "p2.csv").write_text(ROWS, encoding="utf-8")
    write_report(tmp_path / "a", [tmp_path / "p2.csv"])
    write_report(tmp_path / "b", [tmp_path / "p2.csv"])
    text = (tmp_path / "a" / "README.md").read_text(encoding="utf-8")
    assert "| 2 | 4 | 2 | 50.00 % |" in text
    assert "| 1, 0, 0, 0 | 1 |" in text  # one deck at 24, one undecided
    assert "| 2 | 8.00 | 30.00 |" in text  # median and mean in ms
    assert "`p2v0s220`: 24; both g2 are the last two cards" in text
    lost = (tmp_path / "a" / "lost.csv").read_text(encoding="utf-8").splitlines()
    assert [line.split(",")[0] for line in lost] == ["source", "p2v0s220", "p2v0s3"]
    for name in ("README.md", "lost.csv", "times.svg"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_another_table_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(NotationError, match="expected a file of `hanasolve max`"):
        write_report(tmp_path, [tmp_path / "x.csv"])
