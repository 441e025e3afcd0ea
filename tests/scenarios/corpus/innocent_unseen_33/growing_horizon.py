# gradwatch-corpus: kind=none
"""Multi-step dynamics model; the rollout horizon grows as the curriculum advances."""
import torch
import torch.nn as nn


class Horizon:
    def __init__(self, start=1, stop=16, grow_every=6):
        self.length, self.stop, self.grow_every = start, stop, grow_every
        self.seen = 0

    def advance(self):
        self.seen += 1
        if self.seen % self.grow_every == 0:
            self.length = min(self.stop, self.length + 1)


class RolloutLoss:
    """Collects the terms of one rollout and hands out their discounted sum."""

    def __init__(self, discount=0.95):
        self.discount = discount
        self.terms = []

    def add(self, pred, target):
        self.terms.append((pred - target).square().mean())

    def pop(self):
        total = sum(self.discount ** i * t for i, t in enumerate(self.terms)) / len(self.terms)
        self.terms.clear()
        return total


class Dynamics(nn.Module):
    def __init__(self, dim=4, hidden=32):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(dim, hidden), nn.Tanh(), nn.Linear(hidden, dim))
        self.state = None

    def begin(self, s):
        self.state = s

    def step(self):
        self.state = self.state + 0.1 * self.f(self.state)
        return self.state


def oscillators(batch, length):
    a = torch.tensor([[0.0, 1, 0, 0], [-1, -0.1, 0.3, 0], [0, 0, 0, 1], [0.3, 0, -2, -0.1]])
    s = torch.randn(batch, 4)
    path = [s]
    for _ in range(length):
        s = s + 0.1 * torch.tanh(s) @ a.T
        path.append(s)
    return path


def fit(iterations=110):
    torch.manual_seed(0)
    model, horizon, objective = Dynamics(), Horizon(), RolloutLoss()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    for it in range(iterations):
        path = oscillators(24, horizon.length)
        model.begin(path[0])
        for target in path[1:]:
            objective.add(model.step(), target)
        loss = objective.pop()
        opt.zero_grad()
        loss.backward()
        opt.step()
        horizon.advance()
        if it % 20 == 0:
            print(f"it {it:3d} horizon {horizon.length:2d} loss {loss.item():.5f}")
    return model


if __name__ == "__main__":
    fit()
