from typing import NamedTuple

import torch
import torch.nn.functional as F

from players import Critic, Maker
from sounds import footsteps


class RoundStats(NamedTuple):
    critic: float
    maker: float


class Studio:
    def __init__(self, latent, length, pool):
        self.length = length
        self.pool = pool
        self.maker = Maker(latent, length)
        self.critic = Critic(length)
        self.maker_opt = torch.optim.Adam(self.maker.parameters(), lr=1e-3, betas=(0.5, 0.99))
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr=1e-3, betas=(0.5, 0.99))

    def make(self, batch):
        noise = torch.randn(batch, self.maker.latent)
        return self.maker(noise)

    def maker_update(self, fakes):
        loss = F.softplus(-self.critic(fakes)).mean()
        self.maker_opt.zero_grad()
        loss.backward()
        self.maker_opt.step()
        return loss.item()

    def critic_update(self, real, mixed):
        judged = self.critic(torch.cat([real, mixed]))
        on_real, on_fake = judged.split([len(real), len(mixed)])
        loss = (F.relu(1 - on_real) + F.relu(1 + on_fake)).mean()
        self.critic_opt.zero_grad()
        loss.backward()
        self.critic_opt.step()
        return loss.item()

    def play_round(self, batch):
        real = footsteps(batch, self.length)
        mixed = self.pool.draw(batch) if self.pool else torch.randn_like(real)
        critic = self.critic_update(real, mixed)
        fakes = self.make(batch)
        maker = self.maker_update(fakes)
        self.pool.add(fakes)  # <- culprit
        return RoundStats(critic, maker)
