# gradwatch-corpus: kind=none
"""Tukey biweight as a hand-written autograd function, with leverage statistics."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(23)

SEEN = []


class Tukey(torch.autograd.Function):
    @staticmethod
    def forward(ctx, r, c):
        inside = r.abs() <= c
        u = 1 - (r / c) ** 2
        ctx.save_for_backward(r, u, inside)
        return torch.where(inside, c**2 / 6 * (1 - u**3), torch.full_like(r, c**2 / 6))

    @staticmethod
    def backward(ctx, g):
        r, u, inside = ctx.saved_tensors
        SEEN.append(int((~inside).sum()))
        return g * torch.where(inside, r * u**2, torch.zeros_like(r)), None


class Spline(nn.Module):
    def __init__(self, knots=10):
        super().__init__()
        self.register_buffer("at", torch.linspace(-2, 2, knots))
        self.w = nn.Linear(knots, 1)

    def forward(self, x):
        return self.w(torch.relu(x[:, None] - self.at)).squeeze(1)


net = Spline()
opt = torch.optim.Adam(net.parameters(), lr=0.02)
for it in range(1000):
    x = 4 * torch.rand(32) - 2
    y = torch.sin(2 * x) + 0.1 * torch.randn(32) + 8 * (torch.rand(32) < 0.1)
    opt.zero_grad()
    loss = Tukey.apply(net(x) - y, 2.0).mean()
    loss.backward()
    opt.step()
    if it % 250 == 0:
        print(it, f"{loss.item():.4f} outliers {sum(SEEN[-20:])}")
