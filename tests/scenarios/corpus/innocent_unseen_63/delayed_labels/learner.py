"""Pairs predictions with the readings they were made for, once these arrive."""
from collections import deque

import torch


class DelayedLearner:
    """Predicts `delay` ticks ahead and learns from each prediction exactly once.

    Predictions wait with their graphs in `pending`, which never holds more than `delay`
    of them. The model is linear in fixed inputs, so a late gradient is still valid
    after the weights have moved.
    """

    def __init__(self, model, delay, lr):
        self.model = model
        self.delay = delay
        self.pending = deque(maxlen=delay)
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr)

    def observe(self, window, now):
        loss = None
        if len(self.pending) == self.delay:
            loss = self._learn(self.pending.popleft(), now)
        self.pending.append(self.model(window))
        return loss

    def _learn(self, prediction, truth):
        loss = (prediction - truth).pow(2).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()
