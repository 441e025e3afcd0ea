# gradwatch-corpus: kind=graph-chain
# holder: self.slow | traces.slow
# first-bad: 1
"""Predicts river level from rain through leaky traces of two time constants."""
from collections import deque

import torch
from torch import nn

WINDOW = 2


class Traces(nn.Module):
    def __init__(self, n_in, width, fast=0.7, slow=0.97):
        super().__init__()
        self.drive = nn.Linear(n_in, width)
        self.k_fast, self.k_slow = fast, slow
        self.fast = torch.zeros(width)
        self.slow = torch.zeros(width)

    def forward(self, rain):
        inp = self.drive(rain)
        self.fast = torch.lerp(inp, self.fast, self.k_fast)
        self.slow = torch.lerp(inp, self.slow, self.k_slow)  # <- culprit
        return self.fast.sum() + 3 * self.slow.sum()

    def truncate(self):
        self.fast = self.fast.detach()  # <- culprit


class Catchment:
    def __init__(self, stations, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.share = torch.rand(stations, generator=self.gen) / stations
        self.store = torch.tensor([0.0, 0.0])
        self.wet = 0.3

    def hour(self):
        stormy = torch.rand(1, generator=self.gen).item() < self.wet
        self.wet = 0.8 if stormy else 0.1
        rain = torch.rand(self.share.shape, generator=self.gen) * (3.0 if stormy else 0.1)
        flow = (rain * self.share).sum()
        self.store = self.store * torch.tensor([0.7, 0.97]) + torch.stack([0.3 * flow, 0.03 * flow])
        return rain, self.store.sum()


def main():
    torch.manual_seed(71)
    world, traces = Catchment(6, 72), Traces(6, 8)
    opt = torch.optim.SGD(traces.parameters(), lr=2e-3)
    recent = deque(maxlen=100)
    for window in range(420):
        errors = []
        opt.zero_grad()
        for hour in range(WINDOW):
            rain, level = world.hour()
            err = (traces(rain) - level).square() / WINDOW
            err.backward(retain_graph=True)
            errors.append(err.item())
        nn.utils.clip_grad_norm_(traces.parameters(), 1.0)
        opt.step()
        traces.truncate()
        recent.append(sum(errors))
        if window % 70 == 69:
            print(window + 1, sum(recent) / len(recent), traces.slow.norm().item())


if __name__ == "__main__":
    main()
