# gradwatch-corpus: kind=none
"""Inverse problem: thermal diffusivity of a rod from six thermocouples (PINN).
Adam first, L-BFGS afterwards. Residual adaptive weights are updated by ascent."""
import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint

torch.set_num_threads(1)
torch.manual_seed(21)
PI = torch.pi


def exact(x, t, alpha=0.35):
    return torch.sin(PI * x) * torch.exp(-alpha * PI ** 2 * t)


class Rod(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.first = nn.Linear(2, width)
        self.mid = nn.Sequential(nn.Linear(width, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.last = nn.Linear(width, 1)
        self.log_alpha = nn.Parameter(torch.tensor(-2.0))

    def forward(self, x, t, save_memory=False):
        h = torch.tanh(self.first(torch.stack([x, t], -1)))
        h = checkpoint(self.mid, h, use_reentrant=False) if save_memory else self.mid(h)
        return self.last(h).squeeze(-1)


def d(out, *wrt):
    return torch.autograd.grad(out.sum(), wrt, create_graph=True)


class Problem:
    def __init__(self, model):
        self.model = model
        g = torch.Generator().manual_seed(4)
        self.xs = torch.linspace(0.1, 0.9, 6).repeat(8)
        self.ts = torch.linspace(0, 0.5, 8).repeat_interleave(6)
        self.obs = exact(self.xs, self.ts) + 0.01 * torch.randn(48, generator=g)
        self.xc = torch.rand(64, generator=g)
        self.tc = 0.5 * torch.rand(64, generator=g)
        self.lam = torch.ones(64)
        self.parts = {}

    def residual(self):
        x = self.xc.clone().requires_grad_(True)
        t = self.tc.clone().requires_grad_(True)
        u = self.model(x, t)
        ux, ut = d(u, x, t)
        (uxx,) = d(ux, x)
        return ut - self.model.log_alpha.exp() * uxx

    def loss(self):
        r = self.residual()
        fit = (self.model(self.xs, self.ts, save_memory=True) - self.obs).square().mean()
        edge = self.model(torch.tensor([0.0, 1.0] * 4), torch.linspace(0, 0.5, 8)).square().mean()
        pde = (self.lam * r.square()).mean()
        self.parts = {"fit": fit, "edge": edge, "pde": pde, "r": r}
        return 10 * fit + edge + 0.1 * pde

    def ascend(self):
        r = self.parts["r"].detach()
        self.lam = 0.95 * self.lam + 0.05 * r.abs() / (r.abs().mean() + 1e-9)


def main():
    model = Rod()
    prob = Problem(model)
    alphas = []

    adam = torch.optim.Adam(model.parameters(), lr=6e-3)
    for k in range(300):
        adam.zero_grad()
        loss = prob.loss()
        loss.backward()
        adam.step()
        prob.ascend()
        alphas.append(model.log_alpha.detach().exp())
        if k % 75 == 74:
            p = {n: f"{v.item():.5f}" for n, v in prob.parts.items() if v.dim() == 0}
            print(k + 1, p, "alpha %.4f" % alphas[-1].item())

    lbfgs = torch.optim.LBFGS(model.parameters(), max_iter=4, history_size=8, line_search_fn="strong_wolfe")

    def closure():
        lbfgs.zero_grad()
        value = prob.loss()
        value.backward()
        return value

    for k in range(15):
        value = lbfgs.step(closure)
        alphas.append(model.log_alpha.detach().exp())
    print("after l-bfgs %.6f" % value.item(), "alpha %.4f" % alphas[-1].item())


if __name__ == "__main__":
    main()
