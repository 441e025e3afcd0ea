import io

import torch


class SpikeGuard:
    """Watches the loss; on a spike the weights go back to the last good point."""

    def __init__(self, net, ratio):
        self.net = net
        self.ratio = ratio
        self.level = None
        self.rollbacks = 0
        self.restore_points = {}

    def observe(self, step, loss):
        if self.level is not None and loss > self.ratio * self.level:
            self.roll_back()
            return
        self.level = loss if self.level is None else 0.95 * self.level + 0.05 * loss
        self.mark(step)

    def mark(self, step):
        blob = io.BytesIO()
        torch.save(self.net.state_dict(), blob)
        self.restore_points[step] = blob.getvalue()  # <- culprit

    def roll_back(self):
        if not self.restore_points:
            return
        last = max(self.restore_points)
        state = torch.load(io.BytesIO(self.restore_points[last]))
        self.net.load_state_dict(state)
        self.rollbacks += 1
