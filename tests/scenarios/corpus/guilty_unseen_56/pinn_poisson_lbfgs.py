# gradwatch-corpus: kind=second-backward
# first-bad: 60
"""1D Poisson -u'' = f with trainable Fourier features; Adam first and L-BFGS to finish."""
import argparse
import math

import torch
import torch.nn as nn


class FourierEmbedding(nn.Module):
    def __init__(self, m=12, scale=2.0):
        super().__init__()
        self.freq = nn.Parameter(torch.randn(1, m) * scale)

    def forward(self, x):
        z = math.pi * x @ self.freq
        return torch.cat([torch.sin(z), torch.cos(z)], -1)


class Pinn(nn.Module):
    def __init__(self, m=12, width=24):
        super().__init__()
        self.embed = FourierEmbedding(m)
        self.head = nn.Sequential(nn.Linear(2 * m, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, x):
        return self.head(self.embed(x))


def deriv(u, x):
    return torch.autograd.grad(u.sum(), x, create_graph=True)[0]


def source(x):
    return math.pi**2 * torch.sin(math.pi * x) + 4 * math.pi**2 * 0.3 * torch.sin(2 * math.pi * x)


class Solver:
    def __init__(self, net, n_col, lr):
        self.net = net
        self.x = torch.linspace(0, 1, n_col).unsqueeze(1).requires_grad_(True)
        self.f = source(self.x.detach())
        self.ends = torch.tensor([[0.0], [1.0]])
        self.adam = torch.optim.Adam(net.parameters(), lr=lr)
        self.trace = []

    def objective(self, u):
        res = deriv(deriv(u, self.x), self.x) + self.f
        bc = self.net(self.ends)
        return res.pow(2).mean() + 50.0 * bc.pow(2).mean()

    def warmup(self, n):
        for _ in range(n):
            self.adam.zero_grad()
            loss = self.objective(self.net(self.x))
            loss.backward()
            self.adam.step()
            self.trace.append(loss.item())

    def polish(self, n):
        opt = torch.optim.LBFGS(self.net.parameters(), max_iter=8, history_size=10, line_search_fn="strong_wolfe")
        for _ in range(n):
            # collocation points do not move during the polish
            phi = self.net.embed(self.x)  # <- culprit

            def closure():
                opt.zero_grad()
                loss = self.objective(self.net.head(phi))  # <- culprit
                loss.backward()
                return loss

            self.trace.append(opt.step(closure).item())


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--warmup", type=int, default=60)
    ap.add_argument("--polish", type=int, default=40)
    ap.add_argument("--points", type=int, default=64)
    args = ap.parse_args()
    torch.manual_seed(2)
    torch.set_num_threads(1)
    solver = Solver(Pinn(), args.points, 2e-3)
    solver.warmup(args.warmup)
    print(f"after adam  {solver.trace[-1]:.4e}")
    solver.polish(args.polish)
    print(f"after lbfgs {solver.trace[-1]:.4e}")
    with torch.no_grad():
        x = solver.x
        exact = torch.sin(math.pi * x) + 0.3 * torch.sin(2 * math.pi * x)
        print("max error", (solver.net(x) - exact).abs().max().item())


if __name__ == "__main__":
    main()
