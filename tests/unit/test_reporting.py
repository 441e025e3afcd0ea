"""The report of a check says what was seen, also where that is nothing."""

import pytest

from gradwatch.reporting import report


@pytest.mark.parametrize(
    ("iterations", "failed", "says"),
    [
        (50, False, "train.py: 50 iterations, nothing found"),
        (1, True, "train.py: 1 iteration, nothing found"),
        (0, False, "train.py: no training iteration was seen; nothing was checked"),
        (0, True, "train.py: failed before its first iteration ended; nothing was checked"),
    ],
)
def test_what_was_seen(iterations, failed, says):
    assert report("train.py", iterations, [], [], failed=failed) == says
