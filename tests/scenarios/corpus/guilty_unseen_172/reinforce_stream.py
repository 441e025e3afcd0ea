# gradwatch-corpus: kind=graph-held
# holder: window
# first-bad: 1
"""REINFORCE on a corridor world: a generator produces (loss, return) per episode and keeps the recent
episodes to normalise returns against them."""
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.distributions import Categorical


@dataclass
class Episode:
    rewards: list = field(default_factory=list)
    logps: list = field(default_factory=list)
    entropies: list = field(default_factory=list)

    def total(self):
        return sum(self.rewards)

    def returns(self, gamma):
        out, g = [], 0.0
        for r in reversed(self.rewards):
            g = r + gamma * g
            out.append(g)
        return torch.tensor(out[::-1])


class Corridor:
    def __init__(self, length, seed):
        self.length = length
        self.g = torch.Generator().manual_seed(seed)

    def reset(self):
        self.at, self.goal, self.t = self.length // 2, int(torch.randint(0, 2, (1,), generator=self.g)), 0
        return self.obs()

    def obs(self):
        return torch.tensor([self.at / self.length, float(self.goal), self.t / 12])

    def step(self, a):
        self.at += 1 if a == 1 else -1
        self.t += 1
        end = 0 if self.goal == 0 else self.length - 1
        hit = self.at == end
        return self.obs(), (1.0 if hit else -0.05), hit or self.t >= 12 or not 0 <= self.at < self.length


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 24), nn.Tanh(), nn.Linear(24, 2))

    def forward(self, obs):
        return Categorical(logits=self.net(obs))


def play(env, policy):
    ep, obs, done = Episode(), env.reset(), False
    while not done:
        dist = policy(obs)
        a = dist.sample()
        obs, r, done = env.step(a.item())
        ep.rewards.append(r)
        ep.logps.append(dist.log_prob(a))
        ep.entropies.append(dist.entropy())
    return ep


def episodes(env, policy, recent=30, gamma=0.95):
    window = []
    while True:
        ep = play(env, policy)
        window.append(ep)  # <- culprit
        totals = torch.tensor([e.total() for e in window[-recent:]])
        centre, spread = totals.mean(), totals.std(unbiased=False) + 0.1
        adv = (ep.returns(gamma) - centre) / spread
        loss = -(torch.stack(ep.logps) * adv).sum() - 0.01 * torch.stack(ep.entropies).sum()
        yield loss, ep.total()


def main(updates=700):
    torch.manual_seed(19)
    policy = Policy()
    opt = torch.optim.Adam(policy.parameters(), lr=5e-3)
    avg = 0.0
    for i, (loss, total) in zip(range(updates), episodes(Corridor(9, 2), policy)):
        opt.zero_grad()
        loss.backward()
        opt.step()
        avg += 0.03 * (total - avg)
        if i % 100 == 0:
            print(f"{i} return {avg:.3f}")


if __name__ == "__main__":
    main()
