import random

import torch
from torch import nn
from torch.distributions import Normal

from .replay import Replay


class GaussianPolicy(nn.Module):
    def __init__(self, obs, act):
        super().__init__()
        self.mean = nn.Sequential(nn.Linear(obs, 32), nn.Tanh(), nn.Linear(32, act))
        self.log_std = nn.Parameter(torch.full((act,), -0.5))

    def dist(self, obs):
        return Normal(self.mean(obs), self.log_std.exp())


class Learner:
    def __init__(self, seed):
        random.seed(seed)
        torch.manual_seed(seed)
        self.target = torch.randn(6, 2)
        self.policy = GaussianPolicy(6, 2)
        self.opt = torch.optim.Adam(self.policy.parameters(), lr=3e-3)
        self.replay = Replay(20000)
        self.clip = 0.3

    def reward(self, obs, action):
        return -(action - obs @ self.target / 2).pow(2).sum().item()

    def interact(self, n):
        total = 0.0
        for _ in range(n):
            obs = torch.randn(6)
            dist = self.policy.dist(obs)
            action = dist.sample()
            logp = dist.log_prob(action).sum()
            r = self.reward(obs, action)
            self.replay.push(obs, action, logp, r)  # <- culprit
            total += r
        return total / n

    def update(self, batch):
        obs, action, old, rew = batch
        adv = (rew - rew.mean()) / (rew.std() + 1e-6)
        dist = self.policy.dist(obs)
        ratio = (dist.log_prob(action).sum(-1) - old).clamp(-5, 5).exp()
        surr = torch.minimum(ratio * adv, ratio.clamp(1 - self.clip, 1 + self.clip) * adv)
        loss = -surr.mean() - 0.001 * dist.entropy().sum(-1).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    def run(self, iterations):
        avg = -4.0
        for it in range(iterations):
            avg = 0.98 * avg + 0.02 * self.interact(4)
            if len(self.replay) < 64:
                obs = torch.randn(64, 6)
                fit = (self.policy.mean(obs) - obs @ torch.zeros(6, 2)).pow(2).mean()
                self.opt.zero_grad()
                fit.backward()
                self.opt.step()
                continue
            loss = self.update(self.replay.sample(64))
            if it % 100 == 99:
                print(f"it {it + 1} reward {avg:.3f} loss {loss:.4f} memory {len(self.replay)}")
