"""Waiting for code that may never return."""

from __future__ import annotations

import threading
import time

import pytest

from hanasolve.user_code import Stuck, run_watched, time_limit


def test_the_answer_or_the_fault_comes_back() -> None:
    assert run_watched(lambda: 7, lambda: 0, 5.0) == 7

    def fail() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        run_watched(fail, lambda: 0, 5.0)


def test_what_does_not_get_on_is_given_up() -> None:
    done = threading.Event()
    try:
        with pytest.raises(Stuck):
            run_watched(done.wait, lambda: 0, 0.1)
    finally:
        done.set()


def test_what_gets_on_is_waited_for() -> None:
    steps: list[int] = []

    def work() -> int:
        for step in range(8):
            time.sleep(0.1)
            steps.append(step)
        return len(steps)

    assert run_watched(work, lambda: len(steps), 0.5) == 8


def test_a_limit_ends_plain_python_and_leaves_no_alarm_behind() -> None:
    with pytest.raises(Stuck), time_limit(0.1):
        while True:
            pass
    with time_limit(0.1):
        pass
    time.sleep(0.2)
