# gradwatch-corpus: kind=none
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(205)


class Glaze(NamedTuple):
    noise: torch.Tensor
    fake: torch.Tensor


@dataclass
class Pool:
    """Earlier glazes shown again to the critic."""
    room: int
    items: list

    def mix(self, fake):
        shown = [fake.detach()] + [g.fake.detach() for g in self.items[-3:]]
        return torch.cat(shown)

    def add(self, glaze):
        self.items.append(glaze)
        if len(self.items) > self.room:
            self.items.pop(0)


class Potter(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 16), nn.LeakyReLU(0.2), nn.Linear(16, 5))

    def throw(self, n):
        z = torch.randn(n, 3)
        return Glaze(z, self.net(z))


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.utils.parametrizations.spectral_norm(nn.Linear(5, 16)), nn.LeakyReLU(0.2))
        self.real, self.noise = nn.Linear(16, 1), nn.Linear(16, 3)

    def forward(self, x):
        z = self.body(x)
        return self.real(z).squeeze(1), self.noise(z)


class Studio:
    def __init__(self):
        self.potter, self.critic, self.pool = Potter(), Critic(), Pool(10, [])
        self.op = torch.optim.Adam(self.potter.parameters(), lr=1e-3)
        self.oc = torch.optim.Adam(self.critic.parameters(), lr=1e-3)

    def info(self, glaze):
        return F.mse_loss(self.critic(glaze.fake)[1], glaze.noise)

    def turn(self):
        glaze = self.potter.throw(16)
        true = torch.randn(16, 5) * 0.2 + torch.tensor([0.5, -0.5, 0.0, 1.0, 0.3])
        real, _ = self.critic(true)
        fake, _ = self.critic(self.pool.mix(glaze.fake))
        self.op.zero_grad()
        self.oc.zero_grad()
        self.info(glaze).backward(retain_graph=True)
        (F.softplus(-real).mean() + F.softplus(fake).mean()).backward()
        self.oc.step()
        F.softplus(-self.critic(glaze.fake)[0]).mean().backward()
        self.op.step()
        self.pool.add(glaze)


studio = Studio()
for _ in range(600):
    studio.turn()
print(len(studio.pool.items), studio.pool.items[-1].fake.mean(0).tolist())
