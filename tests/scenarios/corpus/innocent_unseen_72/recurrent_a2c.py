# gradwatch-corpus: kind=none
"""Recurrent A2C on a memory task: a cue is shown in the first step and must be recalled at the end."""
import random
from dataclasses import dataclass, field
from typing import List

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)


@dataclass
class Rollout:
    log_probs: List[torch.Tensor] = field(default_factory=list)
    values: List[torch.Tensor] = field(default_factory=list)
    entropies: List[torch.Tensor] = field(default_factory=list)
    rewards: List[torch.Tensor] = field(default_factory=list)
    masks: List[torch.Tensor] = field(default_factory=list)

    def clear(self):
        for v in vars(self).values():
            v.clear()

    def __len__(self):
        return len(self.rewards)


class CueRecall:
    def __init__(self, n_envs, delay=4):
        self.n, self.delay = n_envs, delay
        self.t = [random.randrange(delay) for _ in range(n_envs)]
        self.cue = [random.randrange(2) for _ in range(n_envs)]

    def observe(self):
        obs = torch.zeros(self.n, 3)
        for i in range(self.n):
            if self.t[i] == 0:
                obs[i, self.cue[i]] = 1.0
            if self.t[i] == self.delay:
                obs[i, 2] = 1.0
        return obs

    def step(self, actions):
        reward, mask = torch.zeros(self.n), torch.ones(self.n)
        for i, a in enumerate(actions.tolist()):
            if self.t[i] == self.delay:
                reward[i] = 1.0 if a == self.cue[i] else -1.0
                mask[i] = 0.0
                self.t[i], self.cue[i] = 0, random.randrange(2)
            else:
                self.t[i] += 1
        return self.observe(), reward, mask


class RecurrentActorCritic(nn.Module):
    def __init__(self, n_obs=3, n_act=2, hidden=32):
        super().__init__()
        self.hidden = hidden
        self.cell = nn.GRUCell(n_obs, hidden)
        self.pi = nn.Linear(hidden, n_act)
        self.v = nn.Linear(hidden, 1)

    def forward(self, obs, h):
        h = self.cell(obs, h)
        return torch.distributions.Categorical(logits=self.pi(h)), self.v(h).squeeze(1), h


class RunningMeanStd:
    def __init__(self, momentum=0.05):
        self.mean, self.var, self.momentum = torch.zeros(()), torch.ones(()), momentum

    @torch.no_grad()
    def update(self, x):
        self.mean += self.momentum * (x.mean() - self.mean)
        self.var += self.momentum * (x.var() - self.var)

    def normalize(self, x):
        return (x - self.mean) / (self.var.sqrt() + 1e-6)


class A2C:
    def __init__(self, env, gamma=0.95, max_rollout=15):
        self.env, self.gamma, self.max_rollout = env, gamma, max_rollout
        self.net = RecurrentActorCritic()
        self.opt = torch.optim.RMSprop(self.net.parameters(), lr=3e-3, alpha=0.99)
        self.rollout = Rollout()
        self.adv_stats = RunningMeanStd()
        self.obs = env.observe()
        self.h = torch.zeros(env.n, self.net.hidden)
        self.reward_log = []

    def collect(self, length):
        for _ in range(length):
            dist, value, self.h = self.net(self.obs, self.h)
            action = dist.sample()
            self.obs, reward, mask = self.env.step(action)
            r = self.rollout
            r.log_probs.append(dist.log_prob(action))
            r.values.append(value)
            r.entropies.append(dist.entropy())
            r.rewards.append(reward)
            r.masks.append(mask)
            self.h = self.h * mask.unsqueeze(1)

    def returns(self):
        with torch.no_grad():
            _, ret, _ = self.net(self.obs, self.h)
        out = []
        for r, m in zip(reversed(self.rollout.rewards), reversed(self.rollout.masks)):
            ret = r + self.gamma * m * ret
            out.insert(0, ret)
        return torch.stack(out)

    def learn(self):
        ret = self.returns()
        values = torch.stack(self.rollout.values)
        adv = (ret - values).detach()
        self.adv_stats.update(adv)
        log_probs = torch.stack(self.rollout.log_probs)
        policy = -(log_probs * self.adv_stats.normalize(adv)).mean()
        entropy = torch.stack(self.rollout.entropies).mean()
        loss = policy + 0.5 * F.mse_loss(values, ret) - 0.01 * entropy
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
        self.opt.step()
        finished = sum((1 - m).sum().item() for m in self.rollout.masks)
        score = sum(r.sum().item() for r in self.rollout.rewards) / max(1.0, finished)
        self.rollout.clear()
        self.h = self.h.detach()
        self.reward_log.append(score)
        return {"loss": loss.item(), "entropy": entropy.item()}

    def run(self, updates):
        for u in range(updates):
            self.collect(min(self.max_rollout, 5 + u // 15))
            stats = self.learn()
            if u % 25 == 0:
                recent = self.reward_log[-25:]
                print(u, f"score {sum(recent) / len(recent):+.3f}", {k: round(v, 3) for k, v in stats.items()})


if __name__ == "__main__":
    random.seed(0)
    torch.manual_seed(0)
    agent = A2C(CueRecall(n_envs=16))
    agent.run(250)
    print("final", sum(agent.reward_log[-25:]) / 25)
