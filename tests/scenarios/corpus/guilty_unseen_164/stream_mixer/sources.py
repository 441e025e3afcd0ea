import math

import torch


class HiddenStateMixin:
    def init_state(self, size):
        self.hidden = torch.zeros(1, size)

    def keep(self, hidden):
        self.hidden = hidden  # <- culprit

    def recall(self):
        return self.hidden


class Source(HiddenStateMixin):
    def __init__(self, period, size, seed):
        self.period = period
        self.t = 0
        self.gen = torch.Generator().manual_seed(seed)
        self.init_state(size)

    def value(self, t):
        raise NotImplementedError

    def chunk(self, length=5):
        ts = range(self.t, self.t + length + 1)
        self.t += length
        series = torch.tensor([[self.value(t)] for t in ts])
        series = series + 0.02 * torch.randn(series.shape, generator=self.gen)
        return series[:-1], series[1:]


class Sine(Source):
    def value(self, t):
        return math.sin(2 * math.pi * t / self.period)


class Saw(Source):
    def value(self, t):
        return (t % self.period) / self.period - 0.5


class Square(Source):
    def value(self, t):
        return 0.7 if (t // self.period) % 2 else -0.7
