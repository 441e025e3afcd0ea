# gradwatch-corpus: kind=none
import random

import torch
from torch import nn

torch.manual_seed(15)
random.seed(15)


class TideFilter(nn.Module):
    """A leaky state driven by the weather, read out as the surge."""

    def __init__(self, weather=6, size=20):
        super().__init__()
        self.drive = nn.Linear(weather, size)
        self.read = nn.Linear(size, 1)
        self.size = size

    def rollout(self, batch):
        state = torch.zeros(batch, self.size)
        surge = None
        while True:
            weather = yield surge
            state = 0.85 * state + self.drive(weather)
            surge = self.read(torch.tanh(state)).squeeze(-1)


class Coast:
    def __init__(self, batch, seed):
        self.batch = batch
        self.gen = torch.Generator().manual_seed(seed)
        self.mixing = torch.randn(6, generator=self.gen)
        self.reset()

    def reset(self):
        self.level = torch.zeros(self.batch)

    def hour(self):
        weather = torch.randn(self.batch, 6, generator=self.gen)
        self.level = 0.85 * self.level + weather @ self.mixing
        return weather, torch.tanh(0.3 * self.level)


def train(storms=14, batch=12):
    filt = TideFilter()
    opt = torch.optim.Adam(filt.parameters(), lr=2e-3)
    coast = Coast(batch, 16)
    for storm in range(storms):
        hours = random.randint(18, 50)
        coast.reset()
        rollout = filt.rollout(batch)
        next(rollout)
        total = 0.0
        for _ in range(hours):
            weather, level = coast.hour()
            surge = rollout.send(weather)
            loss = (surge - level).pow(2).mean()
            opt.zero_grad()
            loss.backward(retain_graph=True)
            opt.step()
            total += loss.item()
        rollout.close()
        print(f"storm {storm}: {hours} h, mse {total / hours:.4f}")


if __name__ == "__main__":
    train()
