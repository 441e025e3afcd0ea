from bisect import bisect_left
from functools import lru_cache

EDGES = (0.05, 0.15, 0.4)


@lru_cache(maxsize=None)  # <- culprit
def difficulty(loss):  # <- culprit
    """Bin of a batch: 0 is easy, len(EDGES) is hard. Asked for more than once a round."""
    return bisect_left(EDGES, float(loss.item()))
