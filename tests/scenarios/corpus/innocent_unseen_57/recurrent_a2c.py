# gradwatch-corpus: kind=none
"""Recurrent A2C on a memory game; episodes lengthen, log lines are rendered lazily."""
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import nn


class RecallGame:
    """A cue is shown once; the right action is asked for at random later moments."""

    def __init__(self, n_env, n_cue):
        self.n, self.k = n_env, n_cue
        self.cue = torch.randint(0, n_cue, (n_env,))

    def reset(self):
        self.cue = torch.randint(0, self.k, (self.n,))
        return torch.cat([F.one_hot(self.cue, self.k).float(), torch.zeros(self.n, 1)], -1)

    def step(self, a):
        r = (a == self.cue).float() - 0.2
        ask = (torch.rand(self.n, 1) < 0.3).float()
        return torch.cat([torch.zeros(self.n, self.k), ask], -1), r


class Policy(nn.Module):
    def __init__(self, n_obs, n_act, d=24):
        super().__init__()
        self.cell = nn.GRUCell(n_obs, d)
        self.pi, self.v = nn.Linear(d, n_act), nn.Linear(d, 1)

    def forward(self, obs, h):
        h = self.cell(obs, h)
        return torch.distributions.Categorical(logits=self.pi(h)), self.v(h).squeeze(-1), h


@dataclass
class Rollout:
    logp: list = field(default_factory=list)
    value: list = field(default_factory=list)
    reward: list = field(default_factory=list)
    entropy: list = field(default_factory=list)

    def clear(self):
        for name in self.__dataclass_fields__:
            getattr(self, name).clear()


class LazyLog:
    """Messages are callables, rendered in blocks so that the loop is not held up."""

    def __init__(self, block=6):
        self.block, self.queue = block, []

    def __call__(self, make):
        self.queue.append(make)
        if len(self.queue) >= self.block:
            lines = [m() for m in self.queue]
            self.queue.clear()
            if self.verbose():
                print(lines[-1])

    count = 0

    def verbose(self):
        self.count += 1
        return self.count % 4 == 1


class A2C:
    def __init__(self, env, policy, d=24):
        self.env, self.policy = env, policy
        self.opt = torch.optim.Adam(policy.parameters(), lr=5e-3)
        self.roll, self.log = Rollout(), LazyLog()
        self.h, self.obs = torch.zeros(env.n, d), env.reset()
        self.baseline = torch.zeros(())

    def collect(self, length):
        for _ in range(length):
            dist, v, self.h = self.policy(self.obs, self.h)
            a = dist.sample()
            self.obs, r = self.env.step(a)
            self.roll.logp.append(dist.log_prob(a))
            self.roll.value.append(v)
            self.roll.entropy.append(dist.entropy())
            self.roll.reward.append(r)
        return v.detach()

    def update(self, boot, gamma=0.9):
        g, rets = boot, []
        for r in reversed(self.roll.reward):
            g = r + gamma * g
            rets.append(g)
        rets = torch.stack(rets[::-1])
        values = torch.stack(self.roll.value)
        adv = (rets - values).detach()
        loss = -(torch.stack(self.roll.logp) * adv).mean() + 0.5 * F.mse_loss(values, rets)
        loss = loss - 0.01 * torch.stack(self.roll.entropy).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        mean_r = torch.stack(self.roll.reward).mean()
        self.baseline = self.baseline + 0.1 * (mean_r - self.baseline)
        shown = loss.detach()
        self.log(lambda: f"loss {shown.item():+.3f} reward {mean_r.item():+.3f} ({self.baseline.item():+.3f})")
        self.roll.clear()
        self.h = self.h.detach()


def main(updates=150):
    torch.manual_seed(61)
    torch.set_num_threads(1)
    env = RecallGame(12, 4)
    agent = A2C(env, Policy(5, 4))
    for u in range(updates):
        if u % 5 == 0:
            agent.obs, agent.h = env.reset(), torch.zeros_like(agent.h)
        agent.update(agent.collect(min(3 + u // 10, 14)))


if __name__ == "__main__":
    main()
