from contextlib import contextmanager

import torch
from torch import nn


class WindowedUpdater:
    """Learns from each span of ticks at once and starts the next one from the last belief."""

    def __init__(self, model, span, lr):
        self.model, self.span = model, span
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.belief = None
        self.window_loss, self.in_window = 0.0, 0
        self.errors = []

    @contextmanager
    def _optimizing(self):
        self.opt.zero_grad()
        yield
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()

    def tick(self, reading, pose):
        if self.belief is None:
            self.belief = self.model.start(reading.size(0))
        pred, self.belief = self.model(reading, self.belief)
        self.window_loss = self.window_loss + nn.functional.mse_loss(pred, pose)
        self.in_window += 1
        if self.in_window == self.span:
            self._close()

    def _close(self):
        with self._optimizing():
            loss = self.window_loss / self.in_window
            loss.backward()
        self.errors.append(loss.item())
        self.window_loss, self.in_window = 0.0, 0
        self.belief = self.belief.detach()

    def recent_error(self, n=10):
        tail = self.errors[-n:]
        return sum(tail) / len(tail)
