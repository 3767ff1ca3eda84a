"""Files of rows: what is refused, what is repaired, what survives a round trip."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hanasolve.batch import Grid, run_batch
from hanasolve.batch.store import Store
from hanasolve.errors import NotationError
from tests.batch import sums


def finished(path: Path, count: int = 20, **more: object) -> bytes:
    run_batch(sums.grid(count, **more), path)  # type: ignore[arg-type]
    return path.read_bytes()


@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
def test_a_file_made_with_other_parameters_is_refused(tmp_path: Path, name: str) -> None:
    before = finished(tmp_path / name, made_with={"players": 3, "conventions": ["simple", "value"]})
    with pytest.raises(NotationError, match=rf"{name} was made with players 3, this run has 4: choose"):
        finished(tmp_path / name, made_with={"players": 4, "conventions": ["simple", "value"]})
    with pytest.raises(NotationError, match=r'conventions \["simple", "value"\], this run has null'):
        finished(tmp_path / name, made_with={"players": 3})
    assert (tmp_path / name).read_bytes() == before
    assert finished(tmp_path / name, made_with={"conventions": ("simple", "value"), "players": 3}) == before


@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
def test_a_file_of_somebody_else_is_not_overwritten(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("seed,score\ns1,5\n")
    with pytest.raises(NotationError, match=f"{name} is there"):
        finished(tmp_path / name)
    assert (tmp_path / name).read_text() == "seed,score\ns1,5\n"


def test_a_parquet_file_of_somebody_else_is_not_overwritten(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"seed": ["s1"]}), tmp_path / "a.parquet")
    with pytest.raises(NotationError, match="was not made by this command"):
        finished(tmp_path / "a.parquet")


def test_names_and_folders_are_checked(tmp_path: Path) -> None:
    with pytest.raises(NotationError, match=r"ends in \.csv or \.parquet"):
        finished(tmp_path / "a.xlsx")
    with pytest.raises(NotationError, match="no such folder"):
        finished(tmp_path / "there" / "a.csv")


def test_other_columns_are_refused(tmp_path: Path) -> None:
    out = tmp_path / "a.csv"
    finished(out)
    fewer = Grid(["s1"], sums.rows, {"seed": str, "score": int})
    with pytest.raises(NotationError, match=r"a\.csv:1: found columns 'seed,score,share,won,reason'"):
        run_batch(fewer, out)


@pytest.mark.parametrize("cut", [1, 2, 17, 40, 41, 90])
def test_a_torn_end_is_cut_off_at_a_whole_key(tmp_path: Path, cut: int) -> None:
    out = tmp_path / "a.csv"
    grid = sums.grid(20, sums.rows, "", 2, rows_per_key=2)
    run_batch(grid, out)
    whole = out.read_bytes()
    out.write_bytes(whole[:-cut])
    done = run_batch(grid, out)
    assert out.read_bytes() == whole and done.computed == whole[-cut:-1].count(b"\n") // 2 + 1


def test_a_torn_end_inside_a_letter_is_cut_off(tmp_path: Path) -> None:
    out = tmp_path / "a.csv"
    whole = finished(out)
    with out.open("ab") as file:
        file.write("s21,3,0.5,true,ü".encode()[:-1])
    assert finished(out) == whole


def test_a_row_that_was_spoilt_is_an_error(tmp_path: Path) -> None:
    out = tmp_path / "a.csv"
    finished(out)
    out.write_text(out.read_text().replace("\ns3,", "\ns3,many,"))
    with pytest.raises(NotationError, match="found a row 's3,many"):
        run_batch(sums.grid(20), out, on_rows=lambda rows: None)


def test_cells_survive_the_journal(tmp_path: Path) -> None:
    columns = {"seed": int, "score": float, "won": bool, "text": str}
    rows = [
        {"seed": -3, "score": 0.1 + 0.2, "won": None, "text": 'a "b", c; d\u2028ü'},
        {"seed": 5, "score": float("inf"), "won": False, "text": " "},
        {"seed": 2**60, "score": None, "won": True, "text": None},
    ]
    grid = Grid([-3, 5, 2**60], sums.rows, columns)
    for name in ("a.csv", "a.parquet"):
        with Store(grid, tmp_path / name) as store:
            store.append((0, 1, 2), rows)
            assert store.rows([2, 0, 1]) == [rows[2], rows[0], rows[1]]
            store.finish()
        with Store(grid, tmp_path / name) as store:
            assert store.missing(range(3)) == [] and store.rows(range(3)) == rows


def test_a_line_break_in_a_cell_is_refused(tmp_path: Path) -> None:
    grid = Grid(["s1"], sums.rows, {"seed": str, "text": str})
    with Store(grid, tmp_path / "a.csv") as store, pytest.raises(ValueError, match="one line"):
        store.append((0,), [{"seed": "s1", "text": "a\nb"}])


def test_two_runs_on_one_file_are_refused(tmp_path: Path) -> None:
    with Store(sums.grid(3), tmp_path / "a.csv"):
        with pytest.raises(NotationError, match="another run is writing this file"):
            Store(sums.grid(3), tmp_path / "a.csv")


def test_the_file_says_how_it_was_made(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    finished(tmp_path / "a.csv", made_with={"players": 3})
    finished(tmp_path / "a.parquet", made_with={"players": 3})
    beside = json.loads((tmp_path / "a.csv.meta.json").read_text())
    inside = json.loads(pq.read_schema(tmp_path / "a.parquet").metadata[b"hanasolve"])
    assert beside == inside and inside["players"] == 3 and "hanasolve" in inside
