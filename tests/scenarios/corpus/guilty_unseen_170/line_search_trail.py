# gradwatch-corpus: kind=memory-climb
# holder: search.last | self.last | trial.parent | last.parent
# first-bad: 0
# notice: 60
"""Fitting a surrogate of a heat exchanger with a simple adaptive line search over the step size."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class Trial:
    __slots__ = ("step", "lr", "value", "weights", "parent")

    def __init__(self, step, lr, value, weights, parent):
        self.step = step
        self.lr = lr
        self.value = value
        self.weights = weights
        self.parent = parent

    def improved(self):
        return self.parent is None or self.value < self.parent.value


class Surrogate(nn.Module):
    def __init__(self, width=256):
        super().__init__()
        self.inp = nn.Linear(12, width)
        self.mid = nn.Linear(width, width)
        self.out = nn.Linear(width, 3)

    def forward(self, x):
        h = F.silu(self.inp(x))
        h = F.silu(self.mid(h))
        return self.out(h)


class StepSearch:
    """Raises the step size while the loss falls, halves it and goes back when it does not."""

    def __init__(self, model, optimizer, grow=1.05, shrink=0.5):
        self.model = model
        self.optimizer = optimizer
        self.grow = grow
        self.shrink = shrink
        self.last = None
        self.rejected = 0

    def flat(self):
        return np.concatenate([p.detach().numpy().ravel() for p in self.model.parameters()])

    def lr(self):
        return self.optimizer.param_groups[0]["lr"]

    def set_lr(self, lr):
        for group in self.optimizer.param_groups:
            group["lr"] = float(min(max(lr, 1e-5), 5e-2))

    def restore(self, weights):
        at = 0
        with torch.no_grad():
            for p in self.model.parameters():
                n = p.numel()
                p.copy_(torch.from_numpy(weights[at:at + n]).view_as(p))
                at += n

    def observe(self, step, value):
        trial = Trial(step, self.lr(), value, self.flat(), self.last)  # <- culprit
        if trial.improved():
            self.set_lr(trial.lr * self.grow)
        elif value > 1.5 * trial.parent.value:
            self.rejected += 1
            self.restore(trial.parent.weights)
            self.set_lr(trial.lr * self.shrink)
        self.last = trial  # <- culprit
        return trial


def batches(n, size=48):
    gen = torch.Generator().manual_seed(3)
    mix = torch.randn(12, 3, generator=gen)
    for _ in range(n):
        x = torch.randn(size, 12, generator=gen)
        yield x, torch.tanh(x @ mix) + 0.02 * torch.randn(size, 3, generator=gen)


def main():
    torch.manual_seed(170)
    torch.set_num_threads(1)
    model = Surrogate()
    optimizer = torch.optim.SGD(model.parameters(), lr=5e-3, momentum=0.9)
    search = StepSearch(model, optimizer)
    for step, (x, y) in enumerate(batches(140)):
        loss = F.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        search.observe(step, loss.item())
        if step % 35 == 0:
            print(f"step {step:4d} loss {loss.item():.4f} lr {search.lr():.5f}")
    print("final", search.last.value, "rejected", search.rejected)


if __name__ == "__main__":
    main()
