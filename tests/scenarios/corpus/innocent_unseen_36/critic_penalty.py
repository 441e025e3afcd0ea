# gradwatch-corpus: kind=none
"""WGAN with gradient penalty on a ring; the critic gets two updates for each of the generator."""
import itertools

import torch
from torch import nn

torch.set_num_threads(1)


def net(i, o, w=32):
    return nn.Sequential(nn.Linear(i, w), nn.LeakyReLU(0.2), nn.Linear(w, w), nn.LeakyReLU(0.2), nn.Linear(w, o))


class Gan:
    def __init__(self, z=4):
        self.z, self.gen, self.critic = z, net(z, 2), net(2, 1)
        self.opts = {n: torch.optim.Adam(getattr(self, n).parameters(), lr=1e-3, betas=(0.5, 0.9))
                     for n in ("gen", "critic")}
        self.log = {"critic": [], "gen": []}

    def sample(self, n):
        return self.gen(torch.randn(n, self.z))

    def penalty(self, real, fake):
        mix = torch.lerp(real, fake, torch.rand(len(real), 1)).requires_grad_()
        (g,) = torch.autograd.grad(self.critic(mix).sum(), mix, create_graph=True)
        return (g.norm(dim=1) - 1).square().mean()

    def step(self, name, loss):
        self.opts[name].zero_grad()
        loss.backward()
        self.opts[name].step()
        self.log[name].append(loss.item())

    def train_critic(self, real):
        fake = self.sample(len(real)).detach()
        gap = self.critic(fake).mean() - self.critic(real).mean()
        self.step("critic", gap + 10 * self.penalty(real, fake))

    def train_gen(self, n):
        self.critic.requires_grad_(False)
        self.step("gen", -self.critic(self.sample(n)).mean())
        self.critic.requires_grad_(True)


def ring(n):
    a = torch.rand(n) * 2 * torch.pi
    return torch.stack([a.cos(), a.sin()], 1) + 0.02 * torch.randn(n, 2)


if __name__ == "__main__":
    torch.manual_seed(0)
    gan = Gan()
    for i, phase in zip(range(150), itertools.cycle(("critic", "critic", "gen"))):
        gan.train_critic(ring(64)) if phase == "critic" else gan.train_gen(64)
        if i % 30 == 29:
            print(i, {k: round(v[-1], 3) for k, v in gan.log.items()})
