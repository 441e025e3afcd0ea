# gradwatch-corpus: kind=none
import torch
from torch import nn


class Ring:
    def __init__(self, n):
        self.slots = [None] * n
        self.i = 0

    def put(self, item):
        self.slots[self.i % len(self.slots)] = item
        self.i += 1

    def filled(self):
        return [s for s in self.slots if s is not None]


class PINN(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, t):
        return 1.0 + t * self.net(t)


class Solver:
    """u' = -2 u + sin(3 t), u(0) = 1"""

    def __init__(self):
        self.model = PINN()
        self.opt = torch.optim.Adam(self.model.parameters(), lr=4e-3)
        self.ring = Ring(32)
        self.points = torch.linspace(0, 2, 64)[:, None]

    def residual(self, t):
        t = t.clone().requires_grad_(True)
        u = self.model(t)
        du, = torch.autograd.grad(u.sum(), t, create_graph=True)
        return du + 2 * u - torch.sin(3 * t)

    def step(self):
        jitter = (self.points + 0.02 * torch.randn_like(self.points)).clamp(0, 2)
        r = self.residual(jitter)
        loss = r.pow(2).mean()
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        self.opt.step()
        self.ring.put({"t": jitter, "residual": r, "loss": loss})
        return loss.item()

    def refocus(self):
        entries = self.ring.filled()
        t = torch.cat([e["t"] for e in entries])
        r = torch.cat([e["residual"] for e in entries]).abs().squeeze(1).detach()
        pick = torch.multinomial(r + 1e-6, 32)
        self.points = torch.cat([torch.linspace(0, 2, 32)[:, None], t[pick]])

    def error(self):
        with torch.no_grad():
            t = torch.linspace(0, 2, 200)[:, None]
            exact = (16 / 13) * torch.exp(-2 * t) + (2 * torch.sin(3 * t) - 3 * torch.cos(3 * t)) / 13
            return (self.model(t) - exact).abs().max().item()


if __name__ == "__main__":
    torch.manual_seed(9)
    solver = Solver()
    values = []
    for k in range(500):
        values.append(solver.step())
        if k % 50 == 49:
            solver.refocus()
        if k % 100 == 99:
            mean = sum(e["loss"].item() for e in solver.ring.filled()) / 32
            print(f"{k + 1}: loss {values[-1]:.5f} ring {mean:.5f} max err {solver.error():.4f}")
