# gradwatch-corpus: kind=none
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Scores:
    gap: torch.Tensor
    penalty: torch.Tensor
    weight: float = 5.0

    @property
    def loss(self):
        return self.weight * self.penalty - self.gap


@dataclass
class Trace:
    gaps: list = field(default_factory=list)
    slopes: list = field(default_factory=list)

    def add(self, scores):
        self.gaps.append(scores.gap.detach())
        self.slopes.append(scores.penalty.item())


class Regulariser:
    def __call__(self, critic, real, fake):
        raise NotImplementedError


class SlopePenalty(Regulariser):
    def __init__(self, gen):
        self.gen = gen

    def blend(self, real, fake):
        t = torch.rand(len(real), 1, generator=self.gen)
        return torch.lerp(real, fake, t).requires_grad_(True)

    def __call__(self, critic, real, fake):
        points = self.blend(real, fake)
        slope, = torch.autograd.grad(critic(points).sum(), points, create_graph=True)
        return (slope.norm(dim=1) - 1).pow(2).mean()


class Transport:
    def __init__(self, seed):
        torch.manual_seed(seed)
        self.gen = torch.Generator().manual_seed(seed)
        self.generator = nn.Sequential(nn.Linear(3, 24), nn.Softplus(), nn.Linear(24, 2))
        self.critic = nn.Sequential(nn.Linear(2, 24), nn.Softplus(), nn.Linear(24, 1))
        self.penalty = SlopePenalty(self.gen)
        self.g_opt = torch.optim.Adam(self.generator.parameters(), lr=1e-3)
        self.c_opt = torch.optim.Adam(self.critic.parameters(), lr=2e-3)
        self.trace = Trace()

    def real(self, n=32):
        x = torch.randn(n, 2, generator=self.gen)
        x[:, 0] += 2.0 * (torch.rand(n, generator=self.gen) > 0.5)
        return x

    def fake(self, n=32):
        return self.generator(torch.randn(n, 3, generator=self.gen))

    def critic_step(self):
        real = self.real()
        with torch.no_grad():
            fake = self.fake()
        gap = self.critic(real).mean() - self.critic(fake).mean()
        scores = Scores(gap, self.penalty(self.critic, real, fake))
        self.c_opt.zero_grad()
        scores.loss.backward()
        self.c_opt.step()
        self.trace.add(scores)

    def generator_step(self):
        loss = -self.critic(self.fake()).mean()
        self.g_opt.zero_grad()
        loss.backward()
        self.g_opt.step()

    def run(self, steps):
        for _ in range(steps):
            self.critic_step()
            self.critic_step()
            self.generator_step()
        return torch.stack(self.trace.gaps)


if __name__ == "__main__":
    gaps = Transport(seed=23).run(410)
    print(gaps[:20].mean().item(), gaps[-20:].mean().item())
