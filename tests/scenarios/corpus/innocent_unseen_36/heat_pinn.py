# gradwatch-corpus: kind=none
"""Physics informed net for the heat equation with an unknown conductivity."""
from functools import partial

import torch
from torch import nn

torch.set_num_threads(1)

grad = partial(torch.autograd.grad, create_graph=True)


class Heat(nn.Module):
    def __init__(self, width=20):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))
        self.log_k = nn.Parameter(torch.tensor(-1.0))

    def forward(self, t, x):
        return self.net(torch.stack([t, x], 1)).squeeze(1)

    def residual(self, t, x):
        t.requires_grad_()
        x.requires_grad_()
        u = self(t, x)
        u_t, u_x = grad(u.sum(), (t, x))
        (u_xx,) = grad(u_x.sum(), (x,))
        return u_t - self.log_k.exp() * u_xx


class AdaptiveWeights(dict):
    """Loss weights moved slowly towards equal contributions."""

    def rebalance(self, terms):
        values = {k: v.item() for k, v in terms.items()}
        mean = sum(values.values()) / len(values)
        for k, v in values.items():
            self[k] = 0.95 * self.get(k, 1.0) + 0.05 * min(mean / (v + 1e-8), 20.0)

    def __call__(self, terms):
        return sum(self.get(k, 1.0) * v for k, v in terms.items())


def main():
    torch.manual_seed(0)
    model, weights = Heat(), AdaptiveWeights()
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    k_true = 0.2
    for it in range(140):
        t, x = torch.rand(64), torch.rand(64) * torch.pi
        td, xd = torch.rand(32), torch.rand(32) * torch.pi
        data = torch.exp(-k_true * td) * torch.sin(xd)
        terms = {
            "pde": model.residual(t, x).square().mean(),
            "data": (model(td, xd) - data).square().mean(),
            "edge": model(td, torch.zeros(32)).square().mean(),
        }
        total = weights(terms)
        opt.zero_grad()
        total.backward()
        opt.step()
        weights.rebalance(terms)
        if it % 35 == 0:
            print(it, {k: round(v.item(), 4) for k, v in terms.items()}, "k", round(model.log_k.exp().item(), 3))


if __name__ == "__main__":
    main()
