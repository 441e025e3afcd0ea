"""Whether a statement runs only where there is nothing yet, by the source."""

from __future__ import annotations

import os

import pytest

from gradwatch_agent.source.flow.beginning import is_beginning
from gradwatch_agent.source.stored.indexing import index
from gradwatch_agent.source.syntax.places import attribute

AVERAGE = """
class Average:
    @property
    def ready(self):
        return bool(self.slow)

    @property
    def due(self):
        return self.count % 10 == 0

    def follow(self, weights):
        if {test}:
            {then}self.slow = dict(weights)
"""


@pytest.mark.parametrize(
    ("test", "then", "begins"),
    [
        ("self.slow is None", "", True),
        ("not self.slow", "", True),
        ("not self.ready", "", True),
        ("not self.begun", "self.begun = True; ", True),
        ("not hasattr(self, 'slow')", "", True),
        ("not self.due", "", False),
        ("not self.frozen", "", False),
        ("self.ready", "", False),
        ("self.count % 10 == 0", "", False),
    ],
)
def test_under_which_question(tmp_path, test, then, begins):
    file = tmp_path / "job.py"
    file.write_text(AVERAGE.format(test=test, then=then))
    os.utime(file, (0, 0))
    (store,) = index(str(file)).puts[attribute("slow")]
    assert is_beginning(store) is begins
