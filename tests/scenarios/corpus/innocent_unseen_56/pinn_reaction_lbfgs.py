# gradwatch-corpus: kind=none
"""Steady reaction-diffusion, adaptive boundary weight, Adam then L-BFGS."""
import argparse
import math

import torch
import torch.nn as nn


class FourierEmbedding(nn.Module):
    def __init__(self, m=10, scale=1.5):
        super().__init__()
        self.freq = nn.Parameter(torch.randn(1, m) * scale)

    def forward(self, x):
        z = math.pi * x @ self.freq
        return torch.cat([z.sin(), z.cos()], -1)


class Pinn(nn.Module):
    def __init__(self, m=10, w=20):
        super().__init__()
        self.embed = FourierEmbedding(m)
        self.head = nn.Sequential(nn.Linear(2 * m, w), nn.Tanh(), nn.Linear(w, w), nn.Tanh(), nn.Linear(w, 1))

    def forward(self, x):
        return self.head(self.embed(x))


def deriv(u, x):
    return torch.autograd.grad(u, x, torch.ones_like(u), create_graph=True)[0]


class Balance:
    def __init__(self, net, alpha=0.9):
        self.params = list(net.head.parameters())
        self.alpha = alpha
        self.lam = torch.tensor(1.0)

    def norm(self, loss, reduce):
        grads = torch.autograd.grad(loss, self.params, retain_graph=True, allow_unused=True)
        return reduce(torch.cat([g.abs().flatten() for g in grads if g is not None]))

    def update(self, res, bc):
        ratio = self.norm(res, torch.max) / (self.norm(bc, torch.mean) + 1e-8)
        self.lam = self.alpha * self.lam + (1 - self.alpha) * ratio.clamp(max=100.0)


class Solver:
    def __init__(self, n=48):
        self.net = Pinn()
        self.x = torch.linspace(0, 1, n).unsqueeze(1).requires_grad_(True)
        self.ends = torch.tensor([[0.0], [1.0]])
        self.balance = Balance(self.net)
        self.best = (float("inf"), None)
        self.evals = 0

    def parts(self):
        u = self.net(self.x)
        f = 0.1 * deriv(deriv(u, self.x), self.x) - u + torch.sin(3 * math.pi * self.x)
        return f.pow(2).mean(), self.net(self.ends).pow(2).mean()

    def keep(self, loss):
        if loss.item() < self.best[0]:
            self.best = (loss.item(), {k: v.clone() for k, v in self.net.state_dict().items()})

    def adam(self, n, lr=2e-3):
        opt = torch.optim.Adam(self.net.parameters(), lr=lr)
        for _ in range(n):
            opt.zero_grad()
            res, bc = self.parts()
            self.balance.update(res, bc)
            loss = res + self.balance.lam * bc
            loss.backward()
            opt.step()
            self.keep(loss)

    def lbfgs(self, n):
        opt = torch.optim.LBFGS(self.net.parameters(), max_iter=5, history_size=8, line_search_fn="strong_wolfe")
        lam = self.balance.lam
        seen = []

        def closure():
            opt.zero_grad()
            res, bc = self.parts()
            loss = res + lam * bc
            loss.backward()
            seen.append(loss)
            return loss

        for k in range(n):
            loss = opt.step(closure)
            self.evals += len(seen)
            self.keep(min(seen, key=lambda v: v.item()))
            seen.clear()
            if k % 20 == 0:
                print("lbfgs", k, loss.item())


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--adam", type=int, default=80)
    ap.add_argument("--lbfgs", type=int, default=60)
    a = ap.parse_args()
    torch.manual_seed(5)
    torch.set_num_threads(1)
    s = Solver()
    s.adam(a.adam)
    print("adam", s.best[0], "lam", s.balance.lam.item())
    s.lbfgs(a.lbfgs)
    print("best", s.best[0], "evals", s.evals)
