# gradwatch-corpus: kind=none
"""Physics-informed fit of a damped oscillator, with snapshots of the early solutions."""
import torch
from torch import nn

torch.manual_seed(61)
OMEGA, DAMPING = 6.0, 0.6


class Wave(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(1, width), nn.Linear(width, width), nn.Linear(width, 1)])

    def forward(self, t):
        for layer in self.layers[:-1]:
            t = torch.tanh(layer(t))
        return self.layers[-1](t)


class Snapshots:
    def __init__(self, limit=128):
        self.limit = limit
        self.taken = {}

    @staticmethod
    def _power(n):
        return n & (n - 1) == 0

    def maybe(self, step, solution, residual):
        if 0 < step <= self.limit and self._power(step):
            self.taken[step] = {"solution": solution, "residual": residual}

    def table(self):
        return "  ".join(f"{k}:{v['residual'].item():.2f}" for k, v in self.taken.items())

    def distance(self, solution):
        if not self.taken:
            return 0.0
        newest = self.taken[max(self.taken)]["solution"]
        return (solution.detach() - newest.detach()).abs().mean().item()


def residual_loss(net, t):
    t = t.clone().requires_grad_(True)
    u = net(t)
    du, = torch.autograd.grad(u.sum(), t, create_graph=True)
    ddu, = torch.autograd.grad(du.sum(), t, create_graph=True)
    res = ddu + 2 * DAMPING * du + OMEGA ** 2 * u
    return (res / OMEGA ** 2).pow(2).mean(), u


def boundary_loss(net):
    zero = torch.zeros(1, 1, requires_grad=True)
    u = net(zero)
    du, = torch.autograd.grad(u.sum(), zero, create_graph=True)
    return (u - 1).pow(2).mean() + 0.1 * du.pow(2).mean()


def main():
    net = Wave()
    optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
    collocation = torch.linspace(0, 1, 40).unsqueeze(1)
    snapshots = Snapshots()
    for step in range(520):
        jitter = (collocation + 0.01 * torch.randn_like(collocation)).clamp(0, 1)
        residual, u = residual_loss(net, jitter)
        loss = residual + boundary_loss(net)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        snapshots.maybe(step, u, residual)
        if step % 65 == 0:
            print(step, f"loss {loss.item():.4f} moved {snapshots.distance(u):.4f}", snapshots.table())


if __name__ == "__main__":
    main()
