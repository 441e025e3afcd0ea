# gradwatch-corpus: kind=none
"""Wasserstein GAN on two spirals: clamped critic, moving feature statistics, averaged generator."""
import copy
import math
from collections import deque

import torch
from torch import nn
import torch.nn.functional as F


def spirals(n):
    t = torch.rand(n).sqrt() * 2.5 * math.pi
    sign = torch.randint(0, 2, (n,)) * 2.0 - 1.0
    pts = torch.stack([t.cos() * t, t.sin() * t], dim=1) * sign[:, None] / 8
    return pts + 0.02 * torch.randn(n, 2)


class Critic(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(2, width), nn.LeakyReLU(0.2), nn.Linear(width, width), nn.LeakyReLU(0.2))
        self.score = nn.Linear(width, 1)
        self.last = None

    def forward(self, x):
        self.last = self.features(x)
        return self.score(self.last).squeeze(1)

    @torch.no_grad()
    def clamp(self, bound):
        for p in self.parameters():
            p.clamp_(-bound, bound)


class MovingFeatures:
    def __init__(self, keep=0.9):
        self.keep, self.mean = keep, None

    def see(self, feats):
        now = feats.mean(0).detach()
        if self.mean is None:
            self.mean = now.clone()
        else:
            self.mean.mul_(self.keep).add_(now, alpha=1 - self.keep)

    def distance(self, feats):
        # the moving mean is changed in place later on, hence the copy
        return F.mse_loss(feats.mean(0), self.mean.clone())


class Averaged:
    def __init__(self, net, decay):
        self.net = copy.deepcopy(net).requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def follow(self, net):
        for mine, theirs in zip(self.net.parameters(), net.parameters()):
            mine.lerp_(theirs, 1 - self.decay)


class SpiralGAN:
    critic_rounds = 3

    def __init__(self):
        self.gen = nn.Sequential(nn.Linear(4, 32), nn.ReLU(inplace=True), nn.Linear(32, 32), nn.ReLU(inplace=True), nn.Linear(32, 2))
        self.critic = Critic()
        self.opt_g = torch.optim.RMSprop(self.gen.parameters(), lr=1e-3)
        self.opt_c = torch.optim.RMSprop(self.critic.parameters(), lr=1e-3)
        self.moving = MovingFeatures()
        self.average = Averaged(self.gen, 0.95)
        self.pool = deque(maxlen=8)

    def fakes(self, n):
        return self.gen(torch.randn(n, 4))

    def critic_step(self, n):
        with torch.no_grad():
            fresh = self.fakes(n)
        self.pool.append(fresh)
        old = self.pool[int(torch.randint(len(self.pool), ()))]
        fake = torch.cat([fresh[: n // 2], old[: n - n // 2]])
        real_score = self.critic(spirals(n)).mean()
        self.moving.see(self.critic.last)
        gap = real_score - self.critic(fake).mean()
        self.opt_c.zero_grad()
        (-gap).backward()
        self.opt_c.step()
        self.critic.clamp(0.3)
        return gap.item()

    def gen_step(self, n):
        score = self.critic(self.fakes(n)).mean()
        loss = -score + 0.5 * self.moving.distance(self.critic.last)
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        self.average.follow(self.gen)
        return loss.item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(9)
    gan = SpiralGAN()
    gaps, losses = [], []
    for k in range(200):
        for _ in range(gan.critic_rounds):
            gaps.append(gan.critic_step(48))
        losses.append(gan.gen_step(48))
        if k % 50 == 49:
            pts = gan.average.net(torch.randn(200, 4))
            print(f"{k + 1}: gap {sum(gaps[-30:]) / 30:.3f}, gen {losses[-1]:.3f}, spread {pts.std():.3f}")


if __name__ == "__main__":
    main()
