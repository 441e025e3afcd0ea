import torch


class LaneMemory:
    """Recurrent state, one row for each parallel environment."""

    def __init__(self, lanes, size):
        self._hx = torch.zeros(lanes, size)

    def read(self):
        return self._hx  # <- culprit

    def write(self, hx):
        self._hx = hx  # <- culprit

    def mask(self, keep):
        self._hx = self._hx * keep.unsqueeze(-1)  # <- culprit
