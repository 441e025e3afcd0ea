# gradwatch-corpus: kind=memory-climb
# first-bad: 1
# notice: 150
import torch
from torch import nn


class Field(nn.Module):
    def __init__(self, width=20):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(),
                                 nn.Linear(width, 1))

    def forward(self, t, x):
        return self.net(torch.cat([t, x], 1))


def residual(field, t, x, kappa=0.1):
    t = t.requires_grad_()
    x = x.requires_grad_()
    u = field(t, x)
    ut, ux = torch.autograd.grad(u.sum(), (t, x), create_graph=True)
    uxx, = torch.autograd.grad(ux.sum(), x, create_graph=True)
    return ut - kappa * uxx


class ResidualSampler:
    """Half of the points are uniform, half come from where the residual was large."""

    def __init__(self, n, seed):
        self.n = n
        self.gen = torch.Generator().manual_seed(seed)
        self.points = []
        self.weights = []

    def draw(self):
        fresh = torch.rand(self.n, 2, generator=self.gen)
        if self.points:
            idx = torch.multinomial(self.weights[-1], self.n // 2, generator=self.gen)
            near = self.points[-1][idx] + 0.02 * torch.randn(self.n // 2, 2, generator=self.gen)
            fresh[: self.n // 2] = near.clamp(0, 1)
        return fresh

    def feed(self, pts, res):
        self.points.append(pts.detach().clone())  # <- culprit
        self.weights.append(res.detach().abs().flatten() + 1e-6)  # <- culprit


def main():
    torch.manual_seed(2)
    field = Field()
    sampler = ResidualSampler(4096, seed=9)
    opt = torch.optim.Adam(field.parameters(), lr=2e-3)
    x0 = torch.linspace(0, 1, 64).unsqueeze(1)
    u0 = torch.sin(torch.pi * x0)
    t0 = torch.zeros_like(x0)
    wall_t = torch.linspace(0, 1, 32).unsqueeze(1)
    running = None
    for step in range(600):
        pts = sampler.draw()
        res = residual(field, pts[:, :1].clone(), pts[:, 1:].clone())
        start = (field(t0, x0) - u0).pow(2).mean()
        walls = field(wall_t, torch.zeros_like(wall_t)).pow(2).mean() + \
            field(wall_t, torch.ones_like(wall_t)).pow(2).mean()
        loss = res.pow(2).mean() + 5 * start + 5 * walls
        opt.zero_grad()
        loss.backward()
        opt.step()
        sampler.feed(pts, res)
        running = loss.item() if running is None else 0.97 * running + 0.03 * loss.item()
        if step % 150 == 149:
            print(step + 1, f"{running:.5f}")


if __name__ == "__main__":
    main()
