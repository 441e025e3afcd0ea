# gradwatch-corpus: kind=none
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(13)


def moons(n):
    a = torch.rand(n) * 3.14159
    up = torch.rand(n) < 0.5
    x = torch.where(up, a.cos(), 1 - a.cos())
    y = torch.where(up, a.sin(), 0.5 - a.sin())
    return torch.stack([x, y], 1) + 0.05 * torch.randn(n, 2)


def slope_penalty(critic, real, fake):
    mix = torch.rand(len(real), 1)
    at = (mix * real + (1 - mix) * fake).requires_grad_()
    slope, = torch.autograd.grad(critic(at).sum(), at, create_graph=True)
    return (slope.norm(dim=1) - 1).square().mean()


class Duel:
    def __init__(self):
        self.maker = nn.Sequential(nn.Linear(2, 24), nn.ReLU(), nn.Linear(24, 2))
        self.critic = nn.Sequential(nn.Linear(2, 24), nn.Softplus(), nn.Linear(24, 1))
        self.om = torch.optim.Adam(self.maker.parameters(), 1e-3, betas=(0.0, 0.9))
        self.oc = torch.optim.Adam(self.critic.parameters(), 1e-3, betas=(0.0, 0.9))
        self.ema = None

    def critic_turn(self, n=32):
        real, fake = moons(n), self.maker(torch.randn(n, 2)).detach()
        gap = self.critic(real).mean() - self.critic(fake).mean()
        loss = -gap + 5 * slope_penalty(self.critic, real, fake)
        self.oc.zero_grad()
        loss.backward()
        self.oc.step()
        g = gap.detach()
        self.ema = g if self.ema is None else 0.99 * self.ema + 0.01 * g

    def maker_turn(self, n=32):
        self.critic.requires_grad_(False)
        loss = -self.critic(self.maker(torch.randn(n, 2))).mean()
        self.om.zero_grad()
        loss.backward()
        self.om.step()
        self.critic.requires_grad_(True)


duel = Duel()
for rnd in range(300):
    for _ in range(3):
        duel.critic_turn()
    duel.maker_turn()
    if rnd % 60 == 0:
        print(rnd, f"smoothed gap {duel.ema.item():.4f}")
