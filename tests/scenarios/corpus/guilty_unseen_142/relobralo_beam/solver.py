import torch
from torch import nn
from .balance import RelativeBalancer


def d(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]


class BeamSolver:
    """Clamped beam under uniform load: u'''' = q."""

    def __init__(self, q=-1.0):
        self.q = q
        self.net = nn.Sequential(nn.Linear(1, 12), nn.Tanh(), nn.Linear(12, 12), nn.Tanh(), nn.Linear(12, 1))
        self.opt = torch.optim.Adam(self.net.parameters(), lr=1e-3)
        self.balancer = RelativeBalancer(3)

    def terms(self):
        x = torch.rand(12, 1, requires_grad=True)
        u2 = d(d(self.net(x), x), x)
        interior = (d(d(u2, x), x) - self.q).pow(2).mean()
        ends = torch.tensor([[0.0], [1.0]], requires_grad=True)
        u = self.net(ends)
        return [interior, u.pow(2).mean(), d(u, ends).pow(2).mean()]

    def fit(self, steps):
        for k in range(steps):
            terms = self.terms()
            lam = self.balancer.weights(terms)
            loss = sum(w * t for w, t in zip(lam, terms))
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            if k % 60 == 0:
                print(k, loss.item(), lam.tolist())
