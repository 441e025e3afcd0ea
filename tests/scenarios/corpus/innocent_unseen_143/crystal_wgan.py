# gradwatch-corpus: kind=none
"""WGAN-GP on lattice constants of (invented) perovskites."""
import torch
import torch.nn as nn

torch.set_num_threads(1)


def mlp(i, o, act=nn.LeakyReLU):
    return nn.Sequential(nn.Linear(i, 24), act(), nn.Linear(24, o))


class LatticeGan:
    def __init__(self):
        self.gen, self.critic = mlp(5, 6), mlp(6, 1, nn.Tanh)
        self.og = torch.optim.Adam(self.gen.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.oc = torch.optim.Adam(self.critic.parameters(), lr=1e-3, betas=(0.5, 0.9))

    def real(self, n):
        a = 3.8 + 0.2 * torch.randn(n, 1)
        return torch.cat([a, a * 1.01, a * 1.4, torch.ones(n, 3) * 1.57 + 0.01 * torch.randn(n, 3)], 1)

    def penalty(self, x, fake):
        mix = torch.rand(len(x), 1)
        mid = (mix * x + (1 - mix) * fake).requires_grad_(True)
        slope, = torch.autograd.grad(self.critic(mid).sum(), mid, create_graph=True)
        return (slope.norm(dim=1) - 1).square().mean()

    def critic_round(self):
        x = self.real(16)
        with torch.no_grad():
            fake = self.gen(torch.randn(16, 5))
        w = self.critic(fake).mean() - self.critic(x).mean()
        loss = w + 10 * self.penalty(x, fake)
        self.oc.zero_grad()
        loss.backward()
        self.oc.step()
        return -w.item()

    def gen_round(self):
        loss = -self.critic(self.gen(torch.randn(16, 5))).mean()
        self.og.zero_grad()
        loss.backward()
        self.og.step()


torch.manual_seed(3)
gan = LatticeGan()
for r in range(350):
    for _ in range(3):
        w = gan.critic_round()
    gan.gen_round()
    if r % 50 == 0:
        print(r, round(w, 3))
