# gradwatch-corpus: kind=graph-held
# holder: p._backward_hooks | self.trunk.weight._backward_hooks | balancer.trunk.weight._backward_hooks | model.trunk.weight._backward_hooks
# first-bad: 1
"""Two-task network whose shared trunk receives gradients scaled by the relative difficulty of the
tasks, applied through gradient hooks on the trunk."""
import functools

import torch
from torch import nn
from torch.nn import functional as F


class TwoTask(nn.Module):
    def __init__(self, n_in=16, width=32):
        super().__init__()
        self.trunk = nn.Linear(n_in, width)
        self.depth = nn.Linear(width, 1)
        self.label = nn.Linear(width, 4)

    def forward(self, x):
        h = F.gelu(self.trunk(x))
        return self.depth(h).squeeze(1), self.label(h)


def temper(grad, ratio, lo, hi):
    return grad * ratio.detach().clamp(lo, hi)


class Balancer:
    """Damps trunk gradients while one task is much harder than the other."""

    def __init__(self, model, lo=0.7, hi=1.0):
        self.trunk = model.trunk
        self.lo, self.hi = lo, hi

    def attach(self, depth_loss, label_loss):
        ratio = 2 * torch.minimum(depth_loss, label_loss) / (depth_loss + label_loss)
        hook = functools.partial(temper, ratio=ratio, lo=self.lo, hi=self.hi)
        for p in self.trunk.parameters():
            p.register_hook(hook)  # <- culprit
        return ratio


class Scenes:
    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.a = torch.randn(16, generator=self.g) / 4
        self.b = torch.randn(16, 4, generator=self.g)

    def __call__(self, n=32):
        x = torch.randn(n, 16, generator=self.g)
        return x, torch.tanh(x @ self.a) * 2, (x @ self.b).argmax(1)


class Meter:
    def __init__(self, decay=0.95):
        self.decay, self.values = decay, {}

    def add(self, **named):
        for k, v in named.items():
            old = self.values.get(k, v.item())
            self.values[k] = self.decay * old + (1 - self.decay) * v.item()

    def __str__(self):
        return " ".join(f"{k} {v:.4f}" for k, v in self.values.items())


def main(steps=450):
    torch.manual_seed(31)
    model, scenes, meter = TwoTask(), Scenes(8), Meter()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    balancer = Balancer(model)
    for s in range(steps):
        x, dist, cls = scenes()
        pd, pl = model(x)
        depth_loss, label_loss = F.mse_loss(pd, dist), F.cross_entropy(pl, cls)
        ratio = balancer.attach(depth_loss, label_loss)
        opt.zero_grad()
        (depth_loss + label_loss).backward()
        opt.step()
        meter.add(depth=depth_loss, label=label_loss, ratio=ratio)
        if s % 50 == 0:
            print(s, meter)


if __name__ == "__main__":
    main()
