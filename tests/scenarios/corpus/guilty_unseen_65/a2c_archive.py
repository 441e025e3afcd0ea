# gradwatch-corpus: kind=graph-held
# holder: self.episodes | archive.episodes | self.archive.episodes | learner.archive.episodes | s.advantage | advantage
# first-bad: 1
# notice: 8
"""Advantage actor-critic on a cart that has to be parked at the origin (own tiny simulator)."""
import math
import random
from dataclasses import dataclass, field
from typing import NamedTuple

import torch
from torch import nn
from torch.distributions import Categorical


class ParkingEnv:
    def __init__(self, horizon=25):
        self.horizon = horizon

    def reset(self):
        self.x, self.v, self.t = random.uniform(-1, 1), 0.0, 0
        return self._obs()

    def _obs(self):
        return torch.tensor([self.x, self.v, 1 - self.t / self.horizon])

    def step(self, a):
        self.v = 0.9 * self.v + 0.1 * (a - 1)
        self.x += self.v
        self.t += 1
        done = self.t >= self.horizon or abs(self.x) > 2
        return self._obs(), -abs(self.x) - 0.1 * abs(self.v), done


class ActorCritic(nn.Module):
    def __init__(self, n_obs=3, n_act=3, width=32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_obs, width), nn.Tanh())
        self.pi = nn.Linear(width, n_act)
        self.v = nn.Linear(width, 1)

    def forward(self, obs):
        h = self.body(obs)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


class Rollout(NamedTuple):
    logp: torch.Tensor
    value: torch.Tensor
    entropy: torch.Tensor
    rewards: list


@dataclass
class EpisodeSummary:
    number: int
    score: float
    length: int
    advantage: torch.Tensor


@dataclass
class EpisodeArchive:
    """Everything the report at the end of the run wants to know."""
    episodes: list = field(default_factory=list)

    def record(self, number, rollout, advantage):
        self.episodes.append(  # <- culprit
            EpisodeSummary(number, sum(rollout.rewards), len(rollout.rewards), advantage)
        )

    def report(self, top=3):
        best = sorted(self.episodes, key=lambda s: s.score, reverse=True)[:top]
        for s in best:
            spread = s.advantage.std().item()
            print(f"episode {s.number}: score {s.score:.2f} len {s.length} adv spread {spread:.3f}")


class Learner:
    def __init__(self, env, gamma=0.95, beta=0.01):
        self.env, self.gamma, self.beta = env, gamma, beta
        self.net = ActorCritic()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=5e-3)
        self.archive = EpisodeArchive()

    def play(self):
        obs, done = self.env.reset(), False
        logps, values, ents, rewards = [], [], [], []
        while not done:
            dist, v = self.net(obs)
            a = dist.sample()
            obs, r, done = self.env.step(a.item())
            logps.append(dist.log_prob(a))
            ents.append(dist.entropy())
            values.append(v)
            rewards.append(r)
        return Rollout(torch.stack(logps), torch.stack(values), torch.stack(ents), rewards)

    def returns(self, rewards):
        out, g = [], 0.0
        for r in reversed(rewards):
            g = r + self.gamma * g
            out.append(g)
        return torch.tensor(out[::-1])

    def update(self, number):
        ro = self.play()
        advantage = self.returns(ro.rewards) - ro.value
        actor = -(ro.logp * advantage.detach()).mean()
        critic = advantage.pow(2).mean()
        loss = actor + 0.5 * critic - self.beta * ro.entropy.mean()
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.opt.step()
        self.archive.record(number, ro, advantage)  # <- culprit
        return sum(ro.rewards)


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(0)
    random.seed(0)
    learner = Learner(ParkingEnv())
    smooth = math.nan
    for n in range(150):
        s = learner.update(n)
        smooth = s if math.isnan(smooth) else 0.95 * smooth + 0.05 * s
        if n % 30 == 0:
            print(f"{n:4d} score {s:7.2f} smooth {smooth:7.2f}")
    learner.archive.report()
