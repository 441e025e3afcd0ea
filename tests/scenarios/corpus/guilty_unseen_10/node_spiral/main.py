# gradwatch-corpus: kind=graph-held
# holder: self.errors | stats.errors | STATS.errors | solvers.STATS.errors
# first-bad: 1
"""Neural ODE fitted to a damped spiral, with our own embedded Heun-Euler solver (the torchdiffeq one hides too much for
the purposes of chapter 2)."""
import random

import torch
from torch import nn

import solvers

random.seed(11)
torch.manual_seed(11)

STEPS = 260
N_TIMES = 6
BATCH = 16


class Field(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, 2))
        for m in self.net:
            if isinstance(m, nn.Linear):
                nn.init.normal_(m.weight, std=0.1)
                nn.init.zeros_(m.bias)

    def forward(self, t, y):
        return self.net(y ** 3)


def true_field(t, y):
    A = torch.tensor([[-0.1, 2.0], [-2.0, -0.1]])
    return y ** 3 @ A


def make_data(n=400, t1=10.0):
    ts = torch.linspace(0, t1, n)
    with torch.no_grad():
        ys = solvers.rk4_grid(true_field, torch.tensor([[2.0, 0.0]]), ts)
    return ts, ys.squeeze(1)


def get_batch(ts, ys):
    start = torch.randint(0, len(ts) - 4 * N_TIMES, (BATCH,))
    t = ts[: 4 * N_TIMES : 4]
    y = torch.stack([ys[start + 4 * i] for i in range(N_TIMES)])
    return t, y[0], y


def main():
    ts, ys = make_data()
    field = Field()
    opt = torch.optim.RMSprop(field.parameters(), lr=2e-3)
    for step in range(STEPS):
        t, y0, target = get_batch(ts, ys)
        pred = solvers.odeint(field, y0, t, tol=2e-2)
        loss = (pred - target).abs().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 65 == 0 or step == STEPS - 1:
            print(f"step {step:3d}  loss {loss.item():.4f}  {solvers.STATS.summary()}")


if __name__ == "__main__":
    main()
