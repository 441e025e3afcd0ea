from typing import NamedTuple

import torch
import torch.nn as nn
import torch.nn.functional as F

from estimators import RunningScale, gae


class Batch(NamedTuple):
    obs: torch.Tensor
    actions: torch.Tensor
    rewards: torch.Tensor
    last: torch.Tensor


class Agent(nn.Module):
    def __init__(self, obs_dim, n_actions, width=48):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(obs_dim, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.policy = nn.Linear(width, n_actions)
        self.value = nn.Linear(width, 1)
        self.norm = RunningScale()
        self.opt = torch.optim.Adam(self.parameters(), lr=3e-3)

    def forward(self, obs):
        h = self.trunk(obs)
        return torch.distributions.Categorical(logits=self.policy(h)), self.value(h).squeeze(-1)

    @torch.no_grad()
    def rollout(self, env, length):
        obs, acts, rews = [], [], []
        for _ in range(length):
            o = env.observe()
            pi, _ = self(o)
            a = pi.sample()
            obs.append(o)
            acts.append(a)
            rews.append(env.step(a))
        return Batch(torch.stack(obs), torch.stack(acts), torch.stack(rews), env.observe())

    def learn(self, batch):
        pi, values = self(batch.obs)
        with torch.no_grad():
            _, bootstrap = self(batch.last)
        adv = gae(batch.rewards, values, bootstrap)
        returns = adv + values  # <- culprit
        self.norm.update(returns)  # <- culprit
        target = self.norm.normalise(returns)
        weight = adv.detach()
        weight = (weight - weight.mean()) / (weight.std() + 1e-6)

        pg = -(weight * pi.log_prob(batch.actions)).mean()
        critic = F.mse_loss(values, target)
        entropy = pi.entropy().mean()
        loss = pg + 0.5 * critic - 0.01 * entropy

        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.parameters(), 1.0)
        self.opt.step()
        return {"reward": batch.rewards.mean().item(), "critic": critic.item(), "entropy": entropy.item()}
