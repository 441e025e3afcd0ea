# gradwatch-corpus: kind=none
"""PINN for u'' = -pi^2 sin(pi x) with gradient-statistics loss balancing."""
import math
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Balancer:
    decay: float = 0.9
    weights: dict = field(default_factory=dict)

    def update(self, params, reference, others):
        ref = self._stat(params, reference, torch.amax)
        for name, term in others.items():
            ratio = ref / (self._stat(params, term, torch.mean) + 1e-8)
            old = self.weights.get(name, torch.ones(()))
            self.weights[name] = self.decay * old + (1 - self.decay) * ratio.clamp(max=100)

    @staticmethod
    def _stat(params, term, reduce):
        grads = torch.autograd.grad(term, params, retain_graph=True, allow_unused=True)
        flat = torch.cat([g.abs().flatten() for g in grads if g is not None])
        return reduce(flat, dim=0)


def residual(net, x):
    x = x.requires_grad_(True)
    u = net(x)
    (du,) = torch.autograd.grad(u.sum(), x, create_graph=True)
    (d2u,) = torch.autograd.grad(du.sum(), x, create_graph=True)
    return d2u + math.pi ** 2 * torch.sin(math.pi * x)


def main(iters=400):
    torch.manual_seed(1)
    net = nn.Sequential(nn.Linear(1, 20), nn.Tanh(), nn.Linear(20, 20), nn.Tanh(), nn.Linear(20, 1))
    params = list(net.parameters())
    opt = torch.optim.Adam(params, lr=2e-3)
    balancer, trace = Balancer(), []
    edge = torch.tensor([[0.0], [1.0]])
    for it in range(iters):
        terms = {"pde": residual(net, torch.rand(32, 1)).pow(2).mean(), "bc": net(edge).pow(2).mean()}
        balancer.update(params, terms["pde"], {"bc": terms["bc"]})
        loss = terms["pde"] + balancer.weights["bc"] * terms["bc"]
        opt.zero_grad()
        loss.backward()
        opt.step()
        trace.append({k: v.item() for k, v in terms.items()})
        if it % 50 == 0:
            print(it, trace[-1], balancer.weights["bc"].item())


if __name__ == "__main__":
    main()
