import torch
from torch import nn


def mlp(a, b, width=16):
    return nn.Sequential(nn.Linear(a, width), nn.SiLU(), nn.Linear(width, b))


class Engine:
    depths, noise = 6, 3

    def __init__(self, plugins):
        self.plugins = plugins
        self.gen, self.critic = mlp(self.noise, self.depths), mlp(self.depths, 1)
        self.g_opt = torch.optim.Adam(self.gen.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.c_opt = torch.optim.Adam(self.critic.parameters(), lr=2e-3, betas=(0.5, 0.9))

    def real(self, n):
        return torch.sigmoid(torch.randn(n, 1) + torch.linspace(-1, 1, self.depths))

    def critic_step(self, n=16):
        real = self.real(n)
        with torch.no_grad():
            fake = self.gen(torch.randn(n, self.noise))
        gap = self.critic(fake).mean() - self.critic(real).mean()
        loss = gap
        for p in self.plugins:
            loss = sum(p.critic_terms(self.critic, real, fake), loss)
        self.c_opt.zero_grad()
        loss.backward()
        self.c_opt.step()
        return gap.detach()

    def generator_step(self, n=16):
        loss = -self.critic(self.gen(torch.randn(n, self.noise))).mean()
        self.g_opt.zero_grad()
        loss.backward()
        self.g_opt.step()
        return loss.detach()

    def run(self, rounds):
        for n in range(rounds):
            gaps = [self.critic_step() for _ in range(2)]
            scores = (*gaps, self.generator_step())
            for p in self.plugins:
                p.after_round(n, scores)
