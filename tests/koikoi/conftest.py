"""Fixtures of the Koi-Koi tests: the default rules and one set of search arrays."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="session")
def nintendo() -> Any:
    from hanasolve.koikoi.game.rules import make_rules

    return make_rules()


@pytest.fixture(scope="session")
def space() -> Any:
    from hanasolve.koikoi.search.kernel import new_space

    return new_space(1 << 18)
