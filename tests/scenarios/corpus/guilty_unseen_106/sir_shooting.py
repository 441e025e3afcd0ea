# gradwatch-corpus: kind=graph-chain
# holder: self.state | fitter.state
# first-bad: 1
# notice: 5
"""Grey-box "neural ODE": fit the SIR rates to a long noisy series, window by window.

Each window starts where the solver ended in the one before, so that the predicted
trajectory stays continuous.
"""
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(11)
np.random.seed(11)


def simulate(n, beta=0.45, gamma=0.12, waning=0.03, dt=0.5):
    s, i, r = 0.95, 0.05, 0.0
    rows = []
    for _ in range(n):
        new, rec, back = beta * s * i, gamma * i, waning * r
        s, i, r = s + dt * (back - new), i + dt * (new - rec), r + dt * (rec - back)
        rows.append((s, i, r))
    y = np.array(rows) + 0.004 * np.random.randn(n, 3)
    return torch.tensor(y, dtype=torch.float32)


# rows: infection, recovery, loss of immunity; columns: what each does to S, I, R
FLOW = torch.tensor([[-1.0, 1.0, 0.0], [0.0, -1.0, 1.0], [1.0, 0.0, -1.0]])


class SIR(nn.Module):
    def __init__(self):
        super().__init__()
        self.log_rates = nn.Parameter(torch.tensor([-1.5, -1.5, -3.0]))

    def rates(self):
        return torch.exp(self.log_rates)

    def f(self, y, rates):
        mass = torch.stack([y[0] * y[1], y[1], y[2]])
        return (rates * mass) @ FLOW


def euler(f, y0, steps, dt, rates):
    ys, y = [], y0
    for _ in range(steps):
        y = y + dt * f(y, rates)
        ys.append(y)
    return torch.stack(ys)


@dataclass
class WindowFitter:
    model: SIR
    data: torch.Tensor
    window: int = 2
    dt: float = 0.5
    state: torch.Tensor = None
    log: list = field(default_factory=list)

    def __post_init__(self):
        self.opt = torch.optim.Adam(self.model.parameters(), lr=2e-2)
        self.sched = torch.optim.lr_scheduler.ExponentialLR(self.opt, 0.995)
        self.state = self.data[0].clone()

    def windows(self):
        for a in range(1, len(self.data) - self.window, self.window):
            yield self.data[a:a + self.window]

    def step(self, target):
        self.opt.zero_grad()
        pred = euler(self.model.f, self.state, self.window, self.dt, self.model.rates())  # <- culprit
        loss = ((pred - target) ** 2).mean() * 100
        loss.backward(retain_graph=True)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        self.sched.step()
        self.state = pred[-1]  # <- culprit
        self.log.append(loss.item())

    def fit(self):
        for k, target in enumerate(self.windows()):
            self.step(target)
            if k % 30 == 0:
                b, g, w = self.model.rates().tolist()
                print(f"window {k:4d}  loss {np.mean(self.log[-30:]):.4f}  beta {b:.3f} gamma {g:.3f} waning {w:.3f}")


if __name__ == "__main__":
    data = simulate(290)
    fitter = WindowFitter(SIR(), data)
    fitter.fit()
    print("final", float(np.mean(fitter.log[-20:])), "windows", len(fitter.log))
