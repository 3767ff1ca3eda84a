"""CP-SAT at work: one way to run it for both formulations, and to stop it."""

from __future__ import annotations

from threading import Event, Thread
from typing import Any


def run_solver(model: Any, limit: float, workers: int, work: float | None = None) -> tuple[bool | None, Any]:
    """Solve a model without objective: True, False or None after ``limit`` seconds, and the solver with its values."""
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = max(0.0, limit)
    solver.parameters.num_workers = workers
    if work is not None:
        solver.parameters.max_deterministic_time = work
    solver.parameters.linearization_level = 0  # measured: the LP relaxation costs more than it prunes here
    solver.parameters.catch_sigint_signal = False  # it would take a Ctrl-C for itself, and the program would go on
    status = _interruptible(solver, model)
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return True, solver
    if status == cp_model.INFEASIBLE:
        return False, solver
    if status == cp_model.UNKNOWN:
        return None, solver
    raise RuntimeError(f"CP-SAT refused the model: {model.validate()}")


def _interruptible(solver: Any, model: Any) -> Any:
    """The solver's status. It works in a thread, because Python hears of Ctrl-C only between two of its own steps.

    An Event tells the end: ``Thread.join``, interrupted, may take a running thread for one that has ended.
    """
    found: list[Any] = []
    done = Event()

    def work() -> None:
        try:
            found.append(solver.solve(model))
        except Exception as error:  # raised again below, where it is seen
            found.append(error)
        done.set()

    beside = Thread(target=work, daemon=True)
    try:
        beside.start()
        while not done.wait(0.05):
            pass
    except KeyboardInterrupt:
        while not done.wait(0.05):
            solver.stop_search()
        raise
    if isinstance(found[0], Exception):
        raise found[0]
    return found[0]
