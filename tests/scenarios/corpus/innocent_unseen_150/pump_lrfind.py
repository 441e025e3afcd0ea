# gradwatch-corpus: kind=none
"""Pump failure model: a rate finder runs first and puts everything back, then the training."""
import copy
import math

import torch
from torch import nn

torch.manual_seed(42)
torch.set_num_threads(1)


class RateFinder:
    def __init__(self, model, opt, low=1e-5, high=2.0, steps=40):
        self.model, self.opt = model, opt
        self.low, self.ratio, self.steps = low, (high / low) ** (1 / steps), steps
        self.losses, self.rates = [], []

    def __enter__(self):
        self.saved = copy.deepcopy((self.model.state_dict(), self.opt.state_dict()))
        return self

    def __exit__(self, *exc):
        model_state, opt_state = self.saved
        self.model.load_state_dict(model_state)
        self.opt.load_state_dict(opt_state)
        del self.saved

    def run(self, batches):
        rate, smooth = self.low, None
        for i, (x, y) in zip(range(self.steps), batches):
            for group in self.opt.param_groups:
                group["lr"] = rate
            loss = nn.functional.binary_cross_entropy_with_logits(self.model(x).squeeze(1), y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            smooth = loss.item() if smooth is None else 0.8 * smooth + 0.2 * loss.item()
            self.losses.append(smooth)
            self.rates.append(rate)
            if not math.isfinite(smooth) or smooth > 4 * min(self.losses):
                break
            rate *= self.ratio
        drops = [b - a for a, b in zip(self.losses, self.losses[1:])]
        return self.rates[drops.index(min(drops))]


def pumps(size=48):
    while True:
        x = torch.randn(size, 7)
        yield x, (x[:, 0] + x[:, 1].abs() > 1).float()


model = nn.Sequential(nn.Linear(7, 24), nn.ReLU(), nn.Linear(24, 1))
opt = torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9)
stream = pumps()
for phase in range(2):
    with RateFinder(model, opt) as finder:
        rate = finder.run(stream)
    for group in opt.param_groups:
        group["lr"] = min(rate, 0.2)
    for step, (x, y) in zip(range(60), stream):
        loss = nn.functional.binary_cross_entropy_with_logits(model(x).squeeze(1), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(phase, f"rate {rate:.4f} after {len(finder.rates)} loss {loss.item():.4f}")
