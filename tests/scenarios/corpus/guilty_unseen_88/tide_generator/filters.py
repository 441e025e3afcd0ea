import functools

import torch
from torch import nn


def primed(gen_fn):
    """Run a coroutine to its first yield."""

    @functools.wraps(gen_fn)
    def wrap(*args, **kw):
        g = gen_fn(*args, **kw)
        next(g)
        return g

    return wrap


@primed
def leaky_filter(cell, h):
    """Receives an observation, gives back the state after seeing it."""
    x = yield
    while True:
        memory = cell(x, h)
        h = 0.3 * h + 0.7 * memory  # <- culprit
        x = yield h  # <- culprit


class Forecaster(nn.Module):
    def __init__(self, n_in, n_state):
        super().__init__()
        self.n_state = n_state
        self.cell = nn.RNNCell(n_in, n_state)
        self.readout = nn.Linear(n_state, n_in)
        self.filt = None

    def start(self, batch):
        self.filt = leaky_filter(self.cell, torch.zeros(batch, self.n_state))

    def assimilate(self, x):
        return self.readout(self.filt.send(x)) + x[:, -1:]

    def stop(self):
        self.filt.close()
        self.filt = None
