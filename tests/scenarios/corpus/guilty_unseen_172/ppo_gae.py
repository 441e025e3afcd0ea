# gradwatch-corpus: kind=second-backward
# first-bad: 1
"""PPO with GAE on a batch of thermostat rooms: each rollout is reused for a few clipped epochs over
shuffled minibatches."""
from typing import NamedTuple

import torch
from torch import nn
from torch.distributions import Normal


class Batch(NamedTuple):
    obs: torch.Tensor
    act: torch.Tensor
    logp: torch.Tensor
    adv: torch.Tensor
    ret: torch.Tensor


class Rooms:
    def __init__(self, n, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.n = n
        self.temp = 15 + 10 * torch.rand(n, generator=self.g)
        self.outside = 10 * torch.rand(n, generator=self.g)

    def obs(self):
        return torch.stack([(self.temp - 20) / 10, (self.outside - 5) / 5], 1)

    def step(self, power):
        power = power.clamp(-1, 1)
        self.outside = (self.outside + 0.3 * torch.randn(self.n, generator=self.g)).clamp(0, 10)
        self.temp = self.temp + 0.05 * (self.outside - self.temp) + power + 0.5
        return -(self.temp - 20).abs() / 5 - 0.05 * power.pow(2)


class ActorCritic(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.pi = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, 1))
        self.vf = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, 1))
        self.log_std = nn.Parameter(torch.tensor(-0.5))

    def policy(self, obs):
        return Normal(self.pi(obs).squeeze(-1), self.log_std.exp())

    def value(self, obs):
        return self.vf(obs).squeeze(-1)


class Collector:
    def __init__(self, env, net, length=8, gamma=0.97, lam=0.9):
        self.env, self.net, self.length = env, net, length
        self.gamma, self.lam = gamma, lam

    def gae(self, rewards, values):
        adv, out = 0.0, []
        for t in reversed(range(self.length)):
            delta = rewards[t] + self.gamma * values[t + 1] - values[t]
            adv = delta + self.gamma * self.lam * adv
            out.append(adv)
        return torch.stack(out[::-1])

    def collect(self):
        obs, act, logp, rew = [], [], [], []
        for _ in range(self.length):
            o = self.env.obs()
            with torch.no_grad():
                dist = self.net.policy(o)
                a = dist.sample()
                logp.append(dist.log_prob(a))
            rew.append(self.env.step(a))
            obs.append(o)
            act.append(a)
        values = self.net.value(torch.stack(obs + [self.env.obs()]))  # <- culprit
        adv = self.gae(rew, values)  # <- culprit
        ret = (adv + values[:-1]).detach()
        flat = lambda x: x.reshape(-1, *x.shape[2:])
        return Batch(flat(torch.stack(obs)), flat(torch.stack(act)), flat(torch.stack(logp)), flat(adv), flat(ret))  # <- culprit


def minibatches(batch, size, epochs):
    n = len(batch.adv)
    for _ in range(epochs):
        for idx in torch.randperm(n).split(size):
            yield Batch(*(t[idx] for t in batch))


def ppo_loss(net, mb, clip=0.2):
    dist = net.policy(mb.obs)
    ratio = (dist.log_prob(mb.act) - mb.logp).exp()
    adv = (mb.adv - mb.adv.mean()) / (mb.adv.std() + 1e-6)
    surrogate = torch.min(ratio * adv, ratio.clamp(1 - clip, 1 + clip) * adv).mean()
    return -surrogate + 0.5 * (net.value(mb.obs) - mb.ret).pow(2).mean() - 0.002 * dist.entropy().mean()


def main(rollouts=60):
    torch.manual_seed(30)
    net = ActorCritic()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    collector = Collector(Rooms(16, 4), net)
    for r in range(rollouts):
        batch = collector.collect()
        for mb in minibatches(batch, 64, 4):
            loss = ppo_loss(net, mb)
            opt.zero_grad()
            loss.backward()
            opt.step()
        if r % 10 == 0:
            print(f"{r} return {batch.ret.mean():.3f}")


if __name__ == "__main__":
    main()
