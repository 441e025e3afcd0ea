# gradwatch-corpus: kind=graph-chain
# holder: self.anchor | self.prior.anchor | model.prior.anchor | prior.anchor
# first-bad: 1
# notice: 5
"""Neural ODE classifier on two spirals with a learned integration horizon per channel group."""
import argparse
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def rk4(f, y, ts):
    for t0, t1 in zip(ts[:-1], ts[1:]):
        h = t1 - t0
        k1 = f(t0, y)
        k2 = f(t0 + h / 2, y + h / 2 * k1)
        k3 = f(t0 + h / 2, y + h / 2 * k2)
        k4 = f(t1, y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return y


class Dynamics(nn.Module):
    def __init__(self, dim, width):
        super().__init__()
        self.lift = nn.Linear(dim + 1, width)
        self.drop = nn.Linear(width, dim)
        self.nfe = 0

    def forward(self, t, y):
        self.nfe += 1
        tt = torch.full_like(y[:, :1], float(t))
        return self.drop(torch.tanh(self.lift(torch.cat([y, tt], 1))))


class SlowPrior(nn.Module):
    """Quadratic pull of a quantity towards a slowly moving copy of itself."""

    def __init__(self, init, momentum=0.98, weight=1.0):
        super().__init__()
        self.momentum = momentum
        self.weight = weight
        self.register_buffer("anchor", init.detach().clone())

    def forward(self, value):
        penalty = self.weight * (value - self.anchor).square().sum()
        if self.training:
            self.anchor = torch.lerp(self.anchor, value, 1.0 - self.momentum)  # <- culprit
        return penalty


class ODEBlock(nn.Module):
    def __init__(self, dim, width, n_steps, groups):
        super().__init__()
        self.func = Dynamics(dim, width)
        self.log_T = nn.Parameter(torch.zeros(groups))
        self.rep = dim // groups
        self.register_buffer("grid", torch.linspace(0.0, 1.0, n_steps + 1))

    def forward(self, y):
        T = self.log_T.exp().repeat_interleave(self.rep)
        self.func.nfe = 0
        return rk4(lambda t, s: T * self.func(t, s), y, self.grid)


class SpiralODE(nn.Module):
    def __init__(self, dim=6, width=32, n_steps=4, groups=3):
        super().__init__()
        self.pad = dim - 2
        self.block = ODEBlock(dim, width, n_steps, groups)
        self.prior = SlowPrior(self.block.log_T, weight=0.5)
        self.head = nn.Linear(dim, 2)

    def forward(self, x):
        z = self.block(F.pad(x, (0, self.pad)))
        return self.head(z)

    def objective(self, x, y):
        logits = self(x)
        nll = F.cross_entropy(logits, y)
        reg = self.prior(self.block.log_T)
        return nll + reg, {"nll": nll.item(), "reg": reg.item()}


def spirals(n, noise=0.05):
    y = torch.randint(0, 2, (n,))
    r = torch.rand(n) * 0.9 + 0.1
    a = 3.0 * r * math.pi + y * math.pi
    x = torch.stack([r * a.cos(), r * a.sin()], 1)
    return x + noise * torch.randn_like(x), y


@torch.no_grad()
def accuracy(model, n=400):
    model.eval()
    x, y = spirals(n)
    acc = (model(x).argmax(1) == y).float().mean().item()
    model.train()
    return acc


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--niters", type=int, default=160)
    ap.add_argument("--batch", type=int, default=96)
    ap.add_argument("--lr", type=float, default=8e-3)
    args = ap.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(3)
    model = SpiralODE()
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.niters)
    for itr in range(1, args.niters + 1):
        opt.zero_grad()
        loss, stats = model.objective(*spirals(args.batch))
        loss.backward()
        opt.step()
        sched.step()
        if itr % 40 == 0:
            T = model.block.log_T.detach().exp().tolist()
            print(f"{itr:04d} nll {stats['nll']:.3f} reg {stats['reg']:.2e} acc {accuracy(model):.3f} "
                  f"nfe {model.block.func.nfe} T " + " ".join(f"{v:.2f}" for v in T))


if __name__ == "__main__":
    main()
