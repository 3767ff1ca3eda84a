"""The batch engine: the same rows and files whatever the workers; what is finished is kept."""

from __future__ import annotations

import _thread
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from hanasolve.batch import Grid, run_batch
from hanasolve.errors import HanasolveError, IllegalAction, NotationError
from tests.batch import sums


def collect(grid: Grid, out: Path | None = None, **options: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    run_batch(grid, out, on_rows=found.extend, **options)  # type: ignore[arg-type]
    return found


def expected(count: int, each: int = 1) -> list[dict[str, Any]]:
    return [sums.row(f"s{k}", number) for k in range(1, count + 1) for number in range(each)]


@pytest.mark.parametrize("chunk", [1, 7, 50, 1000])
@pytest.mark.parametrize("jobs", [1, 3])
def test_rows_come_in_key_order(chunk: int, jobs: int) -> None:
    assert collect(sums.grid(50, chunk=chunk), jobs=jobs) == expected(50)


def test_rows_come_in_key_order_when_later_chunks_finish_first() -> None:
    assert collect(sums.grid(25, sums.uneven, chunk=1), jobs=3) == expected(25)


@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
def test_files_are_identical_whatever_the_workers(tmp_path: Path, name: str) -> None:
    files = []
    for index, (jobs, chunk) in enumerate([(1, 100), (1, 3), (3, 1)]):
        folder = tmp_path / str(index)
        folder.mkdir()
        assert collect(sums.grid(25, sums.uneven, chunk=chunk), folder / name, jobs=jobs) == expected(25)
        files.append({path.name: path.read_bytes() for path in folder.iterdir()})
    assert files[0] == files[1] == files[2]
    assert set(files[0]) == ({name, f"{name}.meta.json"} if name == "a.csv" else {name})


def test_a_parquet_file_holds_typed_columns_in_key_order(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    collect(sums.grid(20, sums.rows, "", 2, rows_per_key=2), tmp_path / "a.parquet")
    table = pq.read_table(tmp_path / "a.parquet")
    assert table.to_pylist() == expected(20, 2)
    assert [str(field.type) for field in table.schema] == ["string", "int64", "double", "bool", "string"]


@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
def test_more_keys_are_added_and_only_they_are_computed(tmp_path: Path, name: str) -> None:
    out, folder = tmp_path / name, str(tmp_path)
    collect(sums.grid(10, sums.rows, folder), out)
    (tmp_path / "computed").unlink()
    assert collect(sums.grid(23, sums.rows, folder), out, jobs=2) == expected(23)
    assert sorted((tmp_path / "computed").read_text().split()) == sorted(f"s{k}" for k in range(11, 24))
    whole = tmp_path / f"whole{out.suffix}"
    collect(sums.grid(23, sums.rows, folder), whole)
    assert out.read_bytes() == whole.read_bytes()


def test_a_finished_file_is_not_touched(tmp_path: Path) -> None:
    for name in ("a.csv", "a.parquet"):
        out = tmp_path / name
        collect(sums.grid(30), out)
        before = out.stat().st_mtime_ns, out.read_bytes()
        assert collect(sums.grid(20), out) == expected(20)
        assert (out.stat().st_mtime_ns, out.read_bytes()) == before


def test_rows_of_other_keys_stay_in_front(tmp_path: Path) -> None:
    out = tmp_path / "a.csv"
    collect(sums.grid(10), out)
    later = sums.grid(15)
    later = Grid(later.keys[5:], later.run, later.columns, chunk=4)
    assert collect(later, out) == expected(15)[5:]
    keys = [line.split(",")[0] for line in out.read_text().splitlines()[1:]]
    assert keys == [f"s{k}" for k in range(1, 16)]


@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
def test_stopping_ends_at_the_same_key_whatever_the_workers(tmp_path: Path, name: str) -> None:
    contents = []
    for jobs in (1, 3):
        seen: list[str] = []

        def enough(rows: list[dict[str, Any]], seen: list[str] = seen) -> bool:
            seen += [row["seed"] for row in rows]
            return len(seen) >= 12

        folder = tmp_path / str(jobs)
        folder.mkdir()
        done = run_batch(sums.grid(60, chunk=5), folder / name, on_rows=enough, jobs=jobs)
        assert seen == [f"s{k}" for k in range(1, 16)] and done.handed_on == 15
        contents.append((folder / name).read_bytes())
    assert contents[0] == contents[1]


def test_stopping_keeps_what_the_file_had(tmp_path: Path) -> None:
    out = tmp_path / "a.csv"
    collect(sums.grid(30), out)
    before = out.read_bytes()
    run_batch(sums.grid(60, chunk=5), out, on_rows=lambda rows: True)
    assert out.read_bytes() == before


def test_errors_of_workers_arrive_whole() -> None:
    for jobs in (1, 2):
        with pytest.raises(IllegalAction, match="seed s9, turn 3") as caught:
            collect(sums.grid(30, sums.refuse, "s9", chunk=2), jobs=jobs)
        assert caught.value.code == "no_clue_token"


def test_what_was_finished_before_an_error_is_kept(tmp_path: Path) -> None:
    out = tmp_path / "a.parquet"
    with pytest.raises(IllegalAction):
        collect(sums.grid(30, sums.refuse, "s9", chunk=2), out)
    done = run_batch(sums.grid(30, chunk=2), out)
    assert (done.resumed, done.computed) == (8, 22)


def test_a_worker_that_dies_costs_only_time(tmp_path: Path) -> None:
    assert collect(sums.grid(30, sums.die_once, str(tmp_path / "mark"), chunk=2), jobs=2) == expected(30)


def test_workers_that_always_die_are_an_error() -> None:
    with pytest.raises(HanasolveError, match="worker processes died 4 times"):
        collect(sums.grid(30, sums.die, chunk=2), jobs=2)


def test_faults_of_the_call_are_named(tmp_path: Path) -> None:
    with pytest.raises(NotationError, match="--scheduler ADDRESS"):
        run_batch(sums.grid(3), engine="dask")
    with pytest.raises(NotationError, match="expected local or dask"):
        run_batch(sums.grid(3), engine="spark")
    with pytest.raises(NotationError, match="s2 is named twice"):
        Grid(["s1", "s2", "s2"], sums.rows, sums.COLUMNS)
    with pytest.raises(ValueError, match="expected 'name'"):
        Grid(["s1"], sums.rows, sums.COLUMNS, key="name")
    with pytest.raises(ValueError, match="rows for other keys"):
        run_batch(sums.grid(5, sums.rows, "", 2))


# ------------------------------------------------------------------------------- interruptions

_SCRIPT = """
import sys
from pathlib import Path
from hanasolve.batch import run_batch
from tests.batch import sums
try:
    run_batch(sums.grid(400, sums.slow, 0.02, chunk=2), Path(sys.argv[1]), jobs=int(sys.argv[2]))
except KeyboardInterrupt:
    sys.exit(130)
"""


def _run_until(out: Path, jobs: int, sign: int, ignored: str = "") -> int:
    """Start the script, send it a signal once some rows are there, and give its exit code.

    ``ignored``: signals that the shell which starts it ignores.
    """
    journal = out if out.suffix == ".csv" else out.with_name(out.name + ".partial")
    lines = 12 + (journal.read_bytes().count(b"\n") if journal.exists() else 0)
    command = [sys.executable, "-c", _SCRIPT, str(out), str(jobs)]
    if ignored:
        command = ["sh", "-c", f"trap '' {ignored}; exec \"$@\"", "sh", *command]
    process = subprocess.Popen(command, start_new_session=True)
    deadline = time.monotonic() + 120
    while not (journal.exists() and journal.read_bytes().count(b"\n") > lines):
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.02)
    os.kill(process.pid, sign)
    return process.wait(120)


@pytest.mark.usefixtures("hears_ctrl_c")
@pytest.mark.parametrize(("name", "jobs"), [("a.csv", 1), ("a.parquet", 2)])
def test_interrupted_and_killed_runs_resume_to_the_same_file(tmp_path: Path, name: str, jobs: int) -> None:
    out = tmp_path / name
    assert _run_until(out, jobs, signal.SIGKILL) == -signal.SIGKILL
    if name == "a.csv":
        with out.open("ab") as file:
            file.write(b's399,12,"torn in the mid')
    assert _run_until(out, jobs, signal.SIGINT) == 130
    assert out.exists() and not out.with_name(f"{name}.partial").exists()
    done = run_batch(sums.grid(400, chunk=30), out, jobs=2)
    assert done.resumed > 20 and done.resumed + done.computed == 400
    whole = tmp_path / f"whole{out.suffix}"
    run_batch(sums.grid(400), whole)
    assert out.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_the_parent_ignored_is_ignored(jobs: int, tmp_path: Path) -> None:
    """A script's background process is not meant by a Ctrl-C for the script."""
    out = tmp_path / "a.csv"
    assert _run_until(out, jobs, signal.SIGINT, "INT TERM") == 0
    assert out.read_bytes().count(b"\n") == 401


_STOPS = """
from hanasolve.batch import run_batch
from tests.batch import sums
run_batch(sums.grid(400, sums.slow_last, 60.0, chunk=2), jobs=2, on_rows=lambda rows: True)
"""


def test_workers_end_also_where_the_parent_ignored_the_signal_for_it() -> None:
    command = ["sh", "-c", "trap '' TERM; exec \"$@\"", "sh", sys.executable, "-c", _STOPS]
    assert subprocess.run(command, timeout=40, check=False).returncode == 0


@pytest.mark.usefixtures("hears_ctrl_c")
def test_what_lies_behind_an_unfinished_chunk_is_handed_on_at_ctrl_c(tmp_path: Path) -> None:
    out = tmp_path / "a.csv"
    seen: list[str] = []

    def interrupt() -> None:
        while not (out.exists() and out.read_bytes().count(b"\n") > 6):
            time.sleep(0.02)
        _thread.interrupt_main()

    threading.Thread(target=interrupt, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        run_batch(
            sums.grid(400, sums.slow_first, 60.0, chunk=2),
            out,
            jobs=2,
            on_rows=lambda rows: seen.extend(row["seed"] for row in rows),
        )
    assert seen[0] == "s3" and len(seen) >= 6
    assert seen == [line.split(",")[0] for line in out.read_text().splitlines()[1:]]
    assert run_batch(sums.grid(400, chunk=2), out).resumed == len(seen)


_STOPPED = """
from hanasolve.batch import run_batch
from tests.batch import sums
for _ in range(8):
    run_batch(sums.grid(400, sums.bulky), jobs=3, on_rows=lambda rows: True)
print("ended")
"""


def test_a_worker_that_is_stopped_while_it_sends_does_not_keep_the_program(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", _STOPPED], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout == "ended\n"


_PARENT = """
import sys
from hanasolve.batch import run_batch
from tests.batch import sums
run_batch(sums.grid(400, sums.leave_pid, sys.argv[1], chunk=2), jobs=2)
"""


def test_workers_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", _PARENT, str(tmp_path)], start_new_session=True)
    deadline = time.monotonic() + 120
    while len(list(tmp_path.iterdir())) < 2 and time.monotonic() < deadline:
        time.sleep(0.02)
    workers = [int(file.name) for file in tmp_path.iterdir()]
    assert len(workers) == 2 and process.pid not in workers
    process.kill()
    process.wait()
    while any(map(_runs, workers)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not any(map(_runs, workers))


def _runs(pid: int) -> bool:
    """Whether the process is there and no zombie."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return Path("/proc").exists() is False
    except OSError:
        return False
