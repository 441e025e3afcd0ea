"""Two workers share the suite by files.

The folders that take longest begin first; but the dashboard's come last, for a process full of
widgets is not what the agent's searches are tested in.
"""

from __future__ import annotations

import pytest
from hypothesis import settings

settings.register_profile("untimed", deadline=None)  # tests assert no times
settings.load_profile("untimed")

ORDER = ("scenarios", "agent", "jobs", "link", "unit", "hygiene", "tui")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: _place(item.path.parent.name))


def _place(folder: str) -> int:
    return ORDER.index(folder) if folder in ORDER else 0
