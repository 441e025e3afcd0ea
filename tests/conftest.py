"""Two workers share the suite by files; the folders that take longest begin first."""

from __future__ import annotations

import pytest
from hypothesis import settings

settings.register_profile("untimed", deadline=None)  # tests assert no times
settings.load_profile("untimed")

LONGEST_FIRST = ("scenarios", "tui", "jobs", "link", "agent")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: _place(item.path.parent.name))


def _place(folder: str) -> int:
    return LONGEST_FIRST.index(folder) if folder in LONGEST_FIRST else len(LONGEST_FIRST)
