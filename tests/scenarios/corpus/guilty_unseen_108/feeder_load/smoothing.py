from collections import namedtuple

import torch
from torch import nn

HWState = namedtuple("HWState", "level trend season")


class StatefulForecaster(nn.Module):
    """Keeps the filter's state between days; subclasses say how it moves."""

    def __init__(self):
        super().__init__()
        self._state = None

    def initial(self, day_load):
        raise NotImplementedError

    def filter(self, day_load, state):
        raise NotImplementedError

    def project(self, state):
        raise NotImplementedError

    @property
    def ready(self):
        return self._state is not None

    def forecast(self):
        return self.project(self._state)

    def observe(self, day_load):
        if self._state is None:
            self._state = self.initial(day_load)
        self._state = self.filter(day_load, self._state)  # <- culprit
        return self._state


class AdditiveHoltWinters(StatefulForecaster):
    def __init__(self, n_feeders, buckets):
        super().__init__()
        self.buckets = buckets
        self.raw = nn.Parameter(torch.tensor([-1.0, -3.0, -1.5]))
        self.bias = nn.Parameter(torch.zeros(n_feeders))

    def constants(self):
        return tuple(torch.sigmoid(self.raw).tolist())

    def initial(self, day_load):
        level = day_load.mean(1)
        season = tuple(day_load[:, b] - level for b in range(self.buckets))
        return HWState(level, torch.zeros_like(level), season)

    def filter(self, day_load, state):
        a, b, c = torch.sigmoid(self.raw).unbind()
        level, trend, season = state
        out = []
        for k, s in enumerate(season):
            y = day_load[:, k]
            new_level = a * (y - s) + (1 - a) * (level + trend)
            trend = b * (new_level - level) + (1 - b) * trend
            out.append(c * (y - new_level) + (1 - c) * s)
            level = new_level
        return HWState(level, trend, tuple(out))  # <- culprit

    def project(self, state):
        steps = [state.level + (k + 1) * state.trend + s for k, s in enumerate(state.season)]
        return torch.stack(steps, 1) + self.bias[:, None]
