# gradwatch-corpus: kind=memory-climb
# first-bad: 1
import copy
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class SWA:
    """Averages the weights seen along the tail of the trajectory."""

    def __init__(self, model, start, tail=20):
        self.model = model
        self.start = start
        self.tail = tail
        self.snapshots = []

    def step(self, it):
        state = {k: v.detach().clone() for k, v in self.model.state_dict().items()}
        self.snapshots.append((it, state))  # <- culprit

    def average(self):
        picked = [s for it, s in self.snapshots[-self.tail:] if it >= self.start]
        if not picked:
            return None
        return {k: torch.stack([s[k] for s in picked]).mean(0) for k in picked[0]}


class Regressor(nn.Module):
    def __init__(self, d, width=128):
        super().__init__()
        self.a = nn.Linear(d, width)
        self.b = nn.Linear(width, width)
        self.c = nn.Linear(width, 1)

    def forward(self, x):
        h = torch.tanh(self.a(x))
        h = h + F.gelu(self.b(h))
        return self.c(h).squeeze(-1)


def friedman(n, g):
    x = torch.rand(n, 10, generator=g)
    y = (10 * torch.sin(math.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2
         + 10 * x[:, 3] + 5 * x[:, 4])
    return x, (y - 14.0) / 5.0 + 0.1 * torch.randn(n, generator=g)


def cyclic_lr(it, period, lo, hi):
    phase = (it % period) / period
    return hi - (hi - lo) * phase


@torch.no_grad()
def rmse(model, x, y):
    return (model(x) - y).pow(2).mean().sqrt().item()


def main():
    torch.manual_seed(9)
    g = torch.Generator().manual_seed(9)
    x, y = friedman(1500, g)
    xt, yt = friedman(300, g)
    model = Regressor(x.size(1))
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    swa = SWA(model, start=200)
    probe = copy.deepcopy(model)
    for it in range(600):
        for group in opt.param_groups:
            group["lr"] = cyclic_lr(it, 50, 0.005, 0.05)
        idx = torch.randint(0, len(x), (48,))
        loss = F.mse_loss(model(x[idx]), y[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        swa.step(it)
        if it % 100 == 99:
            line = f"iter {it} rmse {rmse(model, xt, yt):.4f}"
            avg = swa.average()
            if avg is not None:
                probe.load_state_dict(avg)
                line += f" swa {rmse(probe, xt, yt):.4f}"
            print(line)


if __name__ == "__main__":
    main()
