import torch
from torch import nn


def mlp(*sizes, act=nn.LeakyReLU):
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers.append(nn.Linear(a, b))
        layers.append(act(0.2) if act is nn.LeakyReLU else act())
    return nn.Sequential(*layers[:-1])


class WassersteinGame:
    def __init__(self, latent, lam):
        self.latent = latent
        self.lam = lam
        self.gen = mlp(latent, 64, 64, 2, act=nn.SiLU)
        self.critic = mlp(2, 64, 64, 1)
        self.opt_g = torch.optim.Adam(self.gen.parameters(), lr=1e-3, betas=(0.0, 0.9))
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=1e-3, betas=(0.0, 0.9))
        self.series = {"gap": [], "penalty": [], "gen": []}

    def generate(self, n):
        return self.gen(torch.randn(n, self.latent))

    def penalty(self, real, fake):
        alpha = torch.rand(real.size(0), 1)
        mix = (alpha * real + (1 - alpha) * fake).requires_grad_()
        score = self.critic(mix).sum()
        grad, = torch.autograd.grad(score, mix, create_graph=True)
        return (grad.norm(dim=1) - 1).pow(2).mean()

    def critic_step(self, real):
        with torch.no_grad():
            fake = self.generate(real.size(0))
        gap = self.critic(fake).mean() - self.critic(real).mean()
        gp = self.penalty(real, fake)
        loss = gap + self.lam * gp
        self.opt_c.zero_grad()
        loss.backward()
        self.opt_c.step()
        self.series["gap"].append(-gap.item())
        self.series["penalty"].append(gp)  # <- culprit

    def generator_step(self, batch):
        self.critic.requires_grad_(False)
        loss = -self.critic(self.generate(batch)).mean()
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        self.critic.requires_grad_(True)
        self.series["gen"].append(loss.item())
