# gradwatch-corpus: kind=graph-chain
# holder: self.excitation | esn.excitation
# first-bad: 1
"""Leaky echo-state network on a Mackey-Glass series, with a learned input projection.

The recurrent matrix is random and fixed (spectral radius 0.9); only the input
projection and the readout are fitted, one mini-window at a time.
"""
import argparse
import math

import torch
from torch import nn


def mackey_glass(n, tau=17, beta=0.2, gamma=0.1, power=10, seed=3):
    g = torch.Generator().manual_seed(seed)
    hist = [1.2 + 0.1 * torch.rand(1, generator=g).item() for _ in range(tau + 1)]
    for _ in range(n + 200):
        xt, xd = hist[-1], hist[-1 - tau]
        hist.append(xt + beta * xd / (1 + xd ** power) - gamma * xt)
    return torch.tensor(hist[-n:], dtype=torch.float32) - 1.0


class Reservoir(nn.Module):
    def __init__(self, units=160, leak=0.35, radius=0.9):
        super().__init__()
        w = torch.randn(units, units) * (torch.rand(units, units) < 0.1)
        w = w * (radius / torch.linalg.eigvals(w).abs().max())
        self.register_buffer("w_rec", w)
        self.leak = leak
        self.inp = nn.Linear(1, units)
        self.readout = nn.Linear(units, 1)
        self.excitation = torch.zeros(units)

    def advance(self, u):
        pre = self.inp(u) + self.excitation @ self.w_rec
        self.excitation = (1 - self.leak) * self.excitation + self.leak * torch.tanh(pre)  # <- culprit
        return self.excitation

    def forward(self, window):
        states = [self.advance(u.view(1)) for u in window]
        return self.readout(torch.stack(states)).squeeze(-1)


def cli():
    ap = argparse.ArgumentParser()
    ap.add_argument("--windows", type=int, default=180)
    ap.add_argument("--width", type=int, default=3)
    ap.add_argument("--lr", type=float, default=2e-3)
    return ap.parse_args()


def main():
    opt = cli()
    torch.manual_seed(11)
    series = mackey_glass(opt.windows * opt.width + 1)
    esn = Reservoir()
    adam = torch.optim.Adam(esn.parameters(), lr=opt.lr)
    sq = 0.0
    for k in range(opt.windows):
        lo = k * opt.width
        u = series[lo:lo + opt.width]
        y = series[lo + 1:lo + opt.width + 1]
        err = nn.functional.mse_loss(esn(u), y)
        adam.zero_grad()
        err.backward(retain_graph=True)
        nn.utils.clip_grad_norm_(esn.parameters(), 1.0)
        adam.step()
        sq += err.item()
        if (k + 1) % 40 == 0:
            print(f"window {k + 1:4d}  nrmse {math.sqrt(sq / 40) / series.std().item():.4f}")
            sq = 0.0


if __name__ == "__main__":
    main()
