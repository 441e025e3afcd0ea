# gradwatch-corpus: kind=none
import math

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(30)


class Field(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, xy):
        return self.net(xy)


class Balancer:
    """Weights of the terms from the norms of their gradients."""

    def __init__(self, names, rate=0.1):
        self.w = {n: torch.tensor(1.0) for n in names}
        self.rate = rate

    def update(self, terms, params):
        norms = {}
        for name, term in terms.items():
            grads = torch.autograd.grad(term, params, retain_graph=True, allow_unused=True)
            norms[name] = torch.stack([g.norm() for g in grads if g is not None]).norm()
        total = sum(norms.values())
        for name, n in norms.items():
            new = (total / (n + 1e-8)).clamp(max=50.0)
            self.w[name] = (1 - self.rate) * self.w[name] + self.rate * new

    def __call__(self, terms):
        return sum(self.w[n] * t for n, t in terms.items())


def laplace(u, xy):
    g = torch.autograd.grad(u.sum(), xy, create_graph=True)[0]
    return sum(torch.autograd.grad(g[:, i].sum(), xy, create_graph=True)[0][:, i] for i in range(2))


def terms_of(model):
    xy = torch.rand(64, 2, requires_grad=True)
    f = -2 * math.pi ** 2 * torch.sin(math.pi * xy).prod(1)
    pde = (laplace(model(xy), xy) - f).pow(2).mean()
    edge = torch.rand(32, 2)
    edge[torch.arange(32), torch.randint(0, 2, (32,))] = torch.randint(0, 2, (32,)).float()
    return {"pde": pde, "edge": model(edge).pow(2).mean()}


def main():
    model = Field()
    params = list(model.parameters())
    opt = torch.optim.Adam(params, 3e-3)
    balance, history = Balancer(["pde", "edge"]), {"pde": [], "edge": []}
    for step in range(100):
        terms = terms_of(model)
        if step % 5 == 0:
            balance.update(terms, params)
        loss = balance(terms)
        opt.zero_grad()
        loss.backward()
        opt.step()
        for name, term in terms.items():
            history[name].append(term.item())
        if step % 25 == 0:
            print(step, {k: round(v[-1], 4) for k, v in history.items()})


if __name__ == "__main__":
    main()
