from collections import deque

import torch.nn.functional as F


class ForgettingLedger:
    """Row i holds the errors, after zone i, on zone i and a few before it."""

    def __init__(self, look_back):
        self.recent = deque(maxlen=look_back)
        self.rows = {}

    def close(self, task, zone, net):
        self.recent.append((task, zone.draw(24)))
        self.rows[task] = self._score(net)  # <- culprit

    def _score(self, net):
        row = {}
        for old, (x, y) in self.recent:
            row[old] = F.l1_loss(net(x), y)  # <- culprit
        return row

    def forgetting(self):
        gaps = []
        for task, row in self.rows.items():
            for old, err in row.items():
                if old != task:
                    gaps.append(float(err - self.rows[old][old]))
        return sum(gaps) / max(1, len(gaps))
