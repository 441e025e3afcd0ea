# gradwatch-corpus: kind=none
from dataclasses import dataclass

import torch
from torch import nn

from .policy import ActorCritic, clipped_objective
from .rollout import Archive, Rollout


@dataclass
class PPOConfig:
    rounds: int = 36
    horizon: int = 16
    envs: int = 8
    epochs: int = 3
    minibatches: int = 4
    lr: float = 3e-3


class Thermostat:
    def __init__(self, envs, gen):
        self.gen = gen
        self.temp = torch.randn(envs, generator=gen)
        self.goal = torch.zeros(envs)

    def observe(self):
        return torch.stack([self.temp, self.goal, self.temp - self.goal], -1)

    def step(self, action):
        noise = 0.1 * torch.randn(self.temp.shape, generator=self.gen)
        self.temp = (0.95 * self.temp + 0.3 * (action - 1) + noise).clamp(-3, 3)
        flip = torch.rand(self.goal.shape, generator=self.gen) < 0.05
        self.goal = torch.where(flip, torch.randn(self.goal.shape, generator=self.gen), self.goal)
        return -(self.temp - self.goal).abs()


def collect(env, policy, cfg):
    rollout = Rollout()
    for _ in range(cfg.horizon):
        obs = env.observe()
        action, logp, value = policy.act(obs)
        rollout.append(obs=obs, act=action, logp=logp, value=value, reward=env.step(action))
    last = policy.act(env.observe())[2]
    return rollout, last


def improve(policy, opt, data, cfg, gen):
    for _ in range(cfg.epochs):
        order = torch.randperm(len(data[0]), generator=gen)
        for idx in order.chunk(cfg.minibatches):
            loss = clipped_objective(policy, [d[idx] for d in data])
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            opt.step()


torch.manual_seed(4)
cfg = PPOConfig()
gen = torch.Generator().manual_seed(44)
env = Thermostat(cfg.envs, gen)
policy = ActorCritic(3, 3)
opt = torch.optim.Adam(policy.parameters(), lr=cfg.lr)
archive = Archive()
for rnd in range(cfg.rounds):
    rollout, last = collect(env, policy, cfg)
    improve(policy, opt, rollout.flatten(last), cfg, gen)
    archive.keep(rollout)
    if rnd % 9 == 0:
        print(rnd, round(archive.mean_reward(), 4))
