# gradwatch-corpus: kind=graph-held
# holder: self.total | meters["mse"].total | meter.total
# first-bad: 1
"""Neural ODE fitted to a noisy spiral with a fixed-step RK4 solver."""
from dataclasses import dataclass, field

import torch
from torch import nn

SOLVERS = {}


def solver(name):
    def wrap(fn):
        SOLVERS[name] = fn
        return fn
    return wrap


@solver("euler")
def euler_step(f, t, y, dt):
    return y + dt * f(t, y)


@solver("rk4")
def rk4_step(f, t, y, dt):
    k1 = f(t, y)
    k2 = f(t + dt / 2, y + dt / 2 * k1)
    k3 = f(t + dt / 2, y + dt / 2 * k2)
    k4 = f(t + dt, y + dt * k3)
    return y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def integrate(f, y0, ts, method):
    step = SOLVERS[method]
    y = y0
    yield y
    for t0, t1 in zip(ts[:-1], ts[1:]):
        y = step(f, t0, y, t1 - t0)
        yield y


@dataclass
class Meter:
    fmt: str = "{:.4f}"
    total: float = 0.0
    count: int = 0

    def update(self, value, n=1):
        self.total += value * n  # <- culprit
        self.count += n

    @property
    def avg(self):
        return self.total / max(self.count, 1)

    def __str__(self):
        return self.fmt.format(float(self.avg))


@dataclass
class Run:
    method: str = "rk4"
    iters: int = 450
    batch: int = 16
    window: int = 5
    lr: float = 5e-3
    meters: dict = field(default_factory=lambda: {"mse": Meter(), "field": Meter("{:.2e}")})


class Dynamics(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, 2))

    def forward(self, t, y):
        return self.net(y ** 3)


def spiral(n=400):
    ts = torch.linspace(0, 10, n)
    A = torch.tensor([[-0.1, 2.0], [-2.0, -0.1]])
    path = torch.stack(list(integrate(lambda t, y: (y ** 3) @ A, torch.tensor([[2.0, 0.0]]), ts, "rk4")))
    return ts, path.squeeze(1)


def main():
    torch.manual_seed(5)
    run = Run()
    ts, path = spiral()
    func = Dynamics()
    optim = torch.optim.RMSprop(func.parameters(), lr=run.lr)
    meters = run.meters
    for it in range(run.iters):
        start = torch.randint(0, len(ts) - run.window, (run.batch,))
        target = torch.stack([path[start + i] for i in range(run.window)])
        pred = torch.stack(list(integrate(func, target[0], ts[: run.window], run.method)))
        loss = (pred - target).abs().mean()
        optim.zero_grad()
        loss.backward()
        optim.step()
        meters["mse"].update((pred - target).pow(2).mean(), run.batch)
        meters["field"].update(sum(p.grad.norm().item() for p in func.parameters()))
        if it % 90 == 0:
            print(it, *(f"{k}={m}" for k, m in meters.items()))


if __name__ == "__main__":
    main()
