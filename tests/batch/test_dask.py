"""A cluster gives the same files as this machine, also when a worker is killed in the middle."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hanasolve.batch import run_batch
from hanasolve.errors import NotationError
from tests.batch import sums


@pytest.mark.slow
def test_a_scheduler_that_does_not_answer_is_an_error() -> None:
    with pytest.raises(NotationError, match="no Dask scheduler answers"):
        run_batch(sums.grid(3), engine="dask", scheduler="tcp://127.0.0.1:9")


_SCRIPT = """
import os, signal, sys, threading, time
from pathlib import Path
from distributed import LocalCluster
from hanasolve.batch import run_batch
from hanasolve.errors import IllegalAction
from tests.batch import sums

folder = Path(sys.argv[1])

def kill_one(cluster):
    time.sleep(1)
    os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)
    (folder / "killed").touch()

if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        address = cluster.scheduler_address
        run_batch(sums.grid(60, chunk=4), folder / "dask.parquet", engine="dask", scheduler=address)
        threading.Thread(target=kill_one, args=(cluster,)).start()
        slow = sums.grid(60, sums.slow, 0.2, chunk=2)
        run_batch(slow, folder / "killed.parquet", engine="dask", scheduler=address)
        try:
            run_batch(sums.grid(30, sums.refuse, "s9"), engine="dask", scheduler=address)
        except IllegalAction as error:
            print(error)
"""


@pytest.mark.slow
def test_a_cluster_gives_the_same_file(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(_SCRIPT)
    environment = {**os.environ, "PYTHONPATH": os.getcwd()}
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path)],
        env=environment, capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    run_batch(sums.grid(60), tmp_path / "local.parquet")
    local = (tmp_path / "local.parquet").read_bytes()
    assert (tmp_path / "killed").exists()
    assert (tmp_path / "dask.parquet").read_bytes() == local
    assert (tmp_path / "killed.parquet").read_bytes() == local
    assert "seed s9, turn 3" in done.stdout
