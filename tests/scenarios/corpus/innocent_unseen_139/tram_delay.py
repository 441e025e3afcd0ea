# gradwatch-corpus: kind=none
"""Tram delays along a line; the callback looks back over the last dozen batches."""
from collections import deque
from dataclasses import dataclass

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(19)


@dataclass
class Seen:
    step: int
    loss: torch.Tensor
    delay: torch.Tensor


class Callback:
    def after_batch(self, seen: Seen): ...


class LookBack(Callback):
    def __init__(self, window=12):
        self.window = deque(maxlen=window)

    def after_batch(self, seen):
        self.window.append(seen)
        if seen.step % 150 == 149:
            spread = torch.stack([s.loss for s in self.window]).std()
            print(f"batches {self.window[0].step}..{seen.step}: spread {spread.item():.4f}")


class Extremes(Callback):
    def __init__(self):
        self.worst = None

    def after_batch(self, seen):
        if self.worst is None or seen.loss.item() > self.worst.loss.item():
            self.worst = seen


class TramNet(nn.Module):
    def __init__(self, stops=9, dim=6):
        super().__init__()
        self.stop = nn.Embedding(stops, dim)
        self.hour = nn.Linear(2, dim)
        self.out = nn.Linear(dim, 1)

    def forward(self, stop, clock):
        return self.out(torch.tanh(self.stop(stop) * self.hour(clock))).squeeze(-1)


def fit(callbacks, steps=900):
    net = TramNet()
    opt = torch.optim.Adagrad(net.parameters(), lr=0.05)
    base = torch.randn(9)
    for step in range(steps):
        stop = torch.randint(9, (20,))
        hour = 6.28 * torch.rand(20)
        truth = base[stop] * torch.sin(hour)
        delay = net(stop, torch.stack([hour.sin(), hour.cos()], 1))
        loss = nn.functional.mse_loss(delay, truth)
        opt.zero_grad()
        loss.backward()
        opt.step()
        for cb in callbacks:
            cb.after_batch(Seen(step, loss, delay))


extremes = Extremes()
fit([LookBack(), extremes])
print("worst batch", extremes.worst.step, extremes.worst.loss.item())
