# gradwatch-corpus: kind=inplace-modified
# holder: turn.fake_score | turn | self.turn.fake_score
# first-bad: 4
"""WGAN-GP on rings in the plane, with the losses as objects so that hinge and Wasserstein share the trainer."""
import math
from dataclasses import dataclass

import torch
from torch import nn


def mlp(*widths, act=nn.LeakyReLU):
    layers = []
    for a, b in zip(widths[:-1], widths[1:]):
        layers += [nn.Linear(a, b), act()]
    return nn.Sequential(*layers[:-1])


@dataclass
class Turn:
    real: torch.Tensor
    fake: torch.Tensor
    real_score: torch.Tensor
    fake_score: torch.Tensor


class Objective:
    def critic(self, critic, turn):
        raise NotImplementedError

    def generator(self, turn):
        return -turn.fake_score.mean()


class Hinge(Objective):
    def critic(self, critic, turn):
        return (1 - turn.real_score).relu().mean() + (1 + turn.fake_score).relu().mean()


class Wasserstein(Objective):
    def __init__(self, penalty=1.0):
        self.penalty = penalty

    def critic(self, critic, turn):
        gap = turn.fake_score.mean() - turn.real_score.mean()
        return gap + self.penalty * self.slope(critic, turn)

    @staticmethod
    def slope(critic, turn):
        t = torch.rand(len(turn.real), 1)
        mid = (t * turn.real + (1 - t) * turn.fake.detach()).requires_grad_()
        (g,) = torch.autograd.grad(critic(mid).sum(), mid, create_graph=True)
        return (g.norm(dim=1) - 1).pow(2).mean()


class RingSource:
    def __init__(self, radii=(0.5, 1.0, 1.6), batch=64):
        self.radii, self.batch = torch.tensor(radii), batch

    def __iter__(self):
        while True:
            r = self.radii[torch.randint(len(self.radii), (self.batch,))]
            a = torch.rand(self.batch) * 2 * math.pi
            ring = torch.stack([r * a.cos(), r * a.sin()], 1)
            yield ring + 0.03 * torch.randn(self.batch, 2)


class Trainer:
    def __init__(self, objective, z_dim=8, n_critic=5, lr=5e-4):
        self.objective, self.z_dim, self.n_critic = objective, z_dim, n_critic
        self.gen = mlp(z_dim, 64, 64, 2)
        self.critic = mlp(2, 64, 64, 1)
        self.opt_g = torch.optim.Adam(self.gen.parameters(), lr=lr, betas=(0.5, 0.9))
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=lr, betas=(0.5, 0.9))

    def play(self, real):
        fake = self.gen(torch.randn(len(real), self.z_dim))
        return Turn(real, fake, self.critic(real), self.critic(fake))

    def critic_step(self, turn, keep):
        loss = self.objective.critic(self.critic, turn)
        self.opt_c.zero_grad()
        loss.backward(retain_graph=keep)
        self.opt_c.step()  # <- culprit
        return loss.item()

    def generator_step(self, turn):
        loss = self.objective.generator(turn)  # <- culprit
        self.opt_g.zero_grad()
        loss.backward()  # <- culprit
        self.opt_g.step()
        return loss.item()

    def fit(self, source, iterations):
        g = float("nan")
        for it, real in zip(range(iterations), source):
            closing = it % self.n_critic == self.n_critic - 1
            turn = self.play(real)
            c = self.critic_step(turn, keep=closing)
            if closing:
                g = self.generator_step(turn)
            if it % 50 == 0:
                print(f"{it:5d}  critic {c:+.4f}  gen {g:+.4f}")


if __name__ == "__main__":
    torch.manual_seed(1)
    Trainer(Wasserstein()).fit(RingSource(), iterations=400)
