# gradwatch-corpus: kind=none
"""Physics-informed network for the passive cable equation with adaptive weights.

tau v_t = lambda^2 v_xx - v + i(x, t). The loss weights of the residual and of
the data follow the gradient norms (learning-rate annealing), for which separate
gradients of the two terms are taken before the combined update.
"""
import argparse

import torch
from torch import nn

TAU, LAMBDA = 1.0, 0.5


class Potential(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, width),
                                 nn.Tanh(), nn.Linear(width, 1))
        self.log_tau = nn.Parameter(torch.tensor(0.5))

    def forward(self, x, t):
        # Sealed ends are left to the data; the initial state is built in.
        return t * self.net(torch.stack([x, t], dim=-1)).squeeze(-1)


def current(x, t):
    return torch.exp(-((x - 0.3) / 0.1) ** 2) * (t < 0.5)


def d(y, x):
    return torch.autograd.grad(y.sum(), x, create_graph=True)[0]


def reference(nx=41, nt=2000):
    """Explicit solution of the cable on [0, 1] x [0, 1]."""
    dx, dt = 1.0 / (nx - 1), 1.0 / nt
    x = torch.linspace(0, 1, nx)
    v, rows = torch.zeros(nx), []
    for k in range(nt):
        pad = torch.cat([v[1:2], v, v[-2:-1]])
        vxx = (pad[2:] - 2 * v + pad[:-2]) / dx ** 2
        t = torch.full_like(x, k * dt)
        v = v + dt / TAU * (LAMBDA ** 2 * vxx - v + current(x, t))
        if k % 50 == 49:
            rows.append(v)
    return x, torch.linspace(0.025, 1.0, len(rows)), torch.stack(rows)


class Annealer:
    """Running balance of the two terms, kept as a tensor."""

    def __init__(self, alpha=0.9):
        self.alpha = alpha
        self.weight = torch.tensor(1.0)

    def update(self, residual_loss, data_loss, params):
        gr = torch.autograd.grad(residual_loss, params, retain_graph=True, allow_unused=True)
        gd = torch.autograd.grad(data_loss, params, retain_graph=True, allow_unused=True)
        top = max(g.abs().max() for g in gr if g is not None)
        mean = torch.stack([g.abs().mean() for g in gd if g is not None]).mean()
        target = (top / (mean + 1e-8)).clamp(max=100.0)
        self.weight = self.alpha * self.weight + (1 - self.alpha) * target
        return self.weight


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=200)
    ap.add_argument("--points", type=int, default=128)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    rx, rt, rv = reference()
    model = Potential()
    params = list(model.net.parameters())
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    annealer = Annealer()
    snapshot = {}
    for step in range(args.steps):
        x = torch.rand(args.points, requires_grad=True)
        t = torch.rand(args.points, requires_grad=True)
        v = model(x, t)
        v_t, v_x = d(v, t), d(v, x)
        v_xx = d(v_x, x)
        residual = model.log_tau.exp() * v_t - LAMBDA ** 2 * v_xx + v - current(x, t)
        i = torch.randint(len(rt), (64,))
        j = torch.randint(len(rx), (64,))
        data_loss = (model(rx[j], rt[i]) - rv[i, j]).square().mean()
        residual_loss = residual.square().mean()
        weight = annealer.update(residual_loss, data_loss, params)
        loss = residual_loss + weight * data_loss
        opt.zero_grad()
        loss.backward()
        opt.step()
        snapshot.update(x=x, t=t, residual=residual, slope=v_x, loss=loss)
        if step % 40 == 0:
            worst = snapshot["residual"].abs().max().item()
            print(f"{step:4d}  loss {loss.item():.5f}  worst residual {worst:.3f}  "
                  f"weight {weight.item():.2f}  tau {model.log_tau.exp().item():.3f}")


if __name__ == "__main__":
    main()
