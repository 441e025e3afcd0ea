import copy
from collections import deque

import torch

from penalty import gradient_penalty


class WganTrainer:
    def __init__(self, gen, critic, n_critic, gp_weight):
        self.gen, self.critic = gen, critic
        self.n_critic, self.gp_weight = n_critic, gp_weight
        self.opt_g = torch.optim.Adam(gen.parameters(), lr=1e-3, betas=(0.0, 0.9))
        self.opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.0, 0.9))
        self.averaged = copy.deepcopy(gen)
        self.distance = deque(maxlen=10)
        self.gen_losses = []

    def critic_step(self, real):
        fake = self.gen(len(real)).detach()
        wdist = self.critic(real).mean() - self.critic(fake).mean()
        loss = -wdist + self.gp_weight * gradient_penalty(self.critic, real, fake)
        self.opt_c.zero_grad()
        loss.backward()
        self.opt_c.step()
        self.distance.append(wdist)

    def generator_step(self, n):
        loss = -self.critic(self.gen(n)).mean()
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        self.gen_losses.append(loss.detach())
        with torch.no_grad():
            for a, p in zip(self.averaged.parameters(), self.gen.parameters()):
                a.lerp_(p, 0.02)

    def iteration(self, draw):
        for _ in range(self.n_critic):
            real = draw()
            self.critic_step(real)
        self.generator_step(len(real))

    def status(self):
        w = torch.stack(list(self.distance)).mean().item()
        return f"W {w:.3f}  G {self.gen_losses[-1].item():.3f}"

    @torch.no_grad()
    def sample(self, n):
        return self.averaged(n)
