import torch


class RecentSpan:
    """Ring of the last `width` corrections, in order."""

    def __init__(self, width):
        self._ring = [None] * width
        self._head = 0

    def __lshift__(self, value):
        self._ring[self._head % len(self._ring)] = value
        self._head += 1
        return self

    def __iter__(self):
        n = len(self._ring)
        for k in range(max(0, self._head - n), self._head):
            yield self._ring[k % n]

    @property
    def newest(self):
        return self._ring[(self._head - 1) % len(self._ring)]


def roughness(span):
    values = list(span)
    if len(values) < 3:
        return torch.zeros(())
    track = torch.stack(values)
    return (track[2:] - 2 * track[1:-1] + track[:-2]).abs().mean()
