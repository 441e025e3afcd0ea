# gradwatch-corpus: kind=none
"""Learn a 2-D potential from energies and forces; per-term gradient norms are logged."""
import torch
import torch.nn as nn


class Potential(nn.Module):
    def __init__(self, h=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, h), nn.Tanh(), nn.Linear(h, h), nn.Tanh(), nn.Linear(h, 1))

    def forward(self, r):
        return self.net(torch.cat([r, r ** 2], -1)).squeeze(-1)


def mueller_like(r):
    x, y = r.unbind(-1)
    return 0.5 * (x ** 2 - 1) ** 2 + y ** 2 + 0.7 * x * y + torch.exp(-4 * ((x - 0.3) ** 2 + y ** 2))


def dataset(n):
    r = (3 * torch.rand(n, 2) - 1.5).requires_grad_()
    e = mueller_like(r)
    (g,) = torch.autograd.grad(e.sum(), r)
    return r.detach(), e.detach(), -g


class TermwiseStep:
    """One optimiser step in which every term is back-propagated on its own."""

    def __init__(self, params, opt, weights):
        self.params, self.opt, self.weights = list(params), opt, weights
        self.norms = {k: 0.0 for k in weights}

    def flat(self):
        return torch.cat([p.grad.flatten() if p.grad is not None else torch.zeros(p.numel()) for p in self.params])

    def __call__(self, terms):
        self.opt.zero_grad(set_to_none=False)
        before = self.flat().clone()
        last = len(terms) - 1
        for i, (name, value) in enumerate(terms.items()):
            (self.weights[name] * value).backward(retain_graph=i < last)
            now = self.flat()
            self.norms[name] = 0.9 * self.norms[name] + 0.1 * (now - before).norm().item()
            before = now
        self.opt.step()


def main():
    torch.manual_seed(25)
    r, e, f = dataset(800)
    pot = Potential()
    opt = torch.optim.Adam(pot.parameters(), lr=3e-3)
    step_fn = TermwiseStep(pot.parameters(), opt, {"energy": 1.0, "force": 0.5})
    curve = []
    for k in range(200):
        b = torch.randint(0, len(r), (64,))
        rb = r[b].requires_grad_()
        e_hat = pot(rb)
        f_hat = -torch.autograd.grad(e_hat.sum(), rb, create_graph=True)[0]
        terms = {"energy": (e_hat - e[b]).pow(2).mean(), "force": (f_hat - f[b]).pow(2).sum(-1).mean()}
        step_fn(terms)
        curve.append({n: t.item() for n, t in terms.items()})
        if k % 40 == 0:
            print(k, {n: round(v, 4) for n, v in curve[-1].items()},
                  {n: round(v, 3) for n, v in step_fn.norms.items()})


if __name__ == "__main__":
    main()
