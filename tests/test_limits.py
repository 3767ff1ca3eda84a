"""The limit of a command: how it is read and shared, and how it ends what does not look at it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from hanasolve.errors import LimitReached, NotationError
from hanasolve.limits import CTRL_C, Limit, TimeUp, parse_limit, slices, stopped_by

SLACK = 3.0  # seconds that a busy machine may add


@pytest.mark.parametrize(
    ("text", "seconds", "nodes"),
    [
        (None, None, None),
        ("30s", 30, None),
        ("5m", 300, None),
        ("1.5h", 5400, None),
        ("250ms", 0.25, None),
        ("2000000nodes", None, 2_000_000),
    ],
)
def test_limits(text: str | None, seconds: float | None, nodes: int | None) -> None:
    limit = parse_limit(text)
    assert (limit.seconds, limit.nodes) == (seconds, nodes)
    assert str(limit) == ("the limit" if text is None else f"the limit of {text}")


@pytest.mark.parametrize("text", ["", "30", "s", "-3s", "0s", "5 minutes", "1e9s", "nodes"])
def test_wrong_limits(text: str) -> None:
    with pytest.raises(NotationError, match="--limit: found"):
        parse_limit(text)


def test_a_part_names_the_whole() -> None:
    limit = parse_limit("1m")
    half, most = limit.part(0.5), limit.part(0.9, nodes=7)
    assert limit.left is not None and half.left is not None and most.left is not None
    assert half.left <= limit.left / 2 + 0.1 and limit.left / 2 < most.left < limit.left
    assert (str(half), str(half.part()), str(most)) == ("half of the limit of 1m",) * 2 + ("the limit of 1m",)
    assert most.nodes == 7 and most.only_time().nodes is None
    assert not limit.part(0.0).spend(0) and not limit.late and not limit.noticed
    assert str(Limit().part(nodes=3)) == "the limit"  # nobody gave one


def test_a_limit_begins_again() -> None:
    limit = Limit(seconds=1e-6)
    assert limit.late and str(limit.again()) == str(limit) and limit.again().seconds == limit.seconds
    assert parse_limit("1h").again().of_command and not limit.again().of_command  # from Python nothing ends the process


def test_nodes_are_counted() -> None:
    limit = Limit(nodes=10)
    assert limit.spend(10) and limit.over and not limit.spend(1) and not limit.late
    assert limit.nodes_left == 1 and limit.part().spend(1)  # parts count for themselves
    limit.check("is about time")
    with pytest.raises(LimitReached, match="the limit of 0s came first") as caught:
        Limit(seconds=0).check("came first")
    assert stopped_by(caught.value) == "the limit of 0s"
    assert stopped_by(KeyboardInterrupt()) == CTRL_C and stopped_by(TimeUp("the limit of 9s")) == "the limit of 9s"


def test_slices_cover_everything_and_grow() -> None:
    parts = list(slices(1000, 3))
    assert [row for part in parts for row in range(part.start, part.stop)] == list(range(1000))
    assert parts[0].start == 0 and 1 <= parts[0].stop <= 3 and max(part.stop - part.start for part in parts) > 100
    assert list(slices(0)) == []


def test_plain_python_is_ended_and_nothing_stays_behind() -> None:
    handler, hook, began = signal.getsignal(signal.SIGALRM), sys.unraisablehook, time.monotonic()
    with pytest.raises(LimitReached, match=r"the limit of 0\.3s came before there was an answer") as caught:
        with parse_limit("0.3s").guard():
            while True:
                pass
    assert isinstance(caught.value.__cause__, TimeUp) and time.monotonic() - began < 0.3 + SLACK
    with parse_limit("0.3s").guard():
        pass
    time.sleep(0.7)
    assert signal.getsignal(signal.SIGALRM) == handler and sys.unraisablehook == hook


def test_it_goes_the_way_of_ctrl_c() -> None:
    """Whoever keeps what is done on Ctrl-C keeps it here, and then has time to write it."""
    with parse_limit("0.2s").guard():
        try:
            while True:
                time.sleep(1)
        except KeyboardInterrupt as stop:
            kept = stopped_by(stop)
    assert kept == "the limit of 0.2s"


def test_work_that_looks_is_not_interrupted() -> None:
    limit = parse_limit("0.2s")
    with limit.guard():
        while not limit.late:
            time.sleep(0.01)
        time.sleep(0.4)  # to write down what is done


def test_a_ring_that_is_lost_is_repeated() -> None:
    """An exception in a destructor is lost, as in a callback of compiled code."""

    class Long:
        def __del__(self) -> None:
            time.sleep(0.5)

    with pytest.raises(LimitReached), parse_limit("0.1s").guard():
        Long()
        while True:
            pass


def test_ctrl_c_stays_ctrl_c() -> None:
    with pytest.raises(KeyboardInterrupt) as caught, parse_limit("30s").guard():
        raise KeyboardInterrupt
    assert not isinstance(caught.value, TimeUp)


def test_without_effect_beside_the_main_thread() -> None:
    done = []

    def work() -> None:
        with parse_limit("0.1s").guard():
            time.sleep(0.5)
        done.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [True]


COMPILED = """
import numba
from hanasolve.limits import parse_limit

@numba.njit("int64(int64)", nogil=True)
def never(x):
    while True:
        x += 1
    return x

with parse_limit("1s").guard():
    print("kept", end="")
    never(1)
"""
READING = """
import sys
from hanasolve.limits import parse_limit
with parse_limit("1s").guard():
    sys.stdin.read()
"""


def test_compiled_code_that_does_not_return_ends_the_process() -> None:
    began = time.monotonic()
    done = subprocess.run([sys.executable, "-c", COMPILED], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (3, "kept") and time.monotonic() - began < 20
    assert done.stderr == "error: the limit of 1s came before there was an answer: give more time\n"


@pytest.mark.skipif(os.name == "nt", reason="only a signal wakes from a pipe")
def test_waiting_for_a_pipe_is_ended() -> None:
    read, write = os.pipe()
    try:
        done = subprocess.run(
            [sys.executable, "-c", READING], stdin=read, capture_output=True, text=True, timeout=60, check=False
        )
        assert "LimitReached: the limit of 1s came before there was an answer" in done.stderr
    finally:
        os.close(read)
        os.close(write)
