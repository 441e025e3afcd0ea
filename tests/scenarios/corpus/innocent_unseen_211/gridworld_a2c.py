# gradwatch-corpus: kind=none
from dataclasses import dataclass, field
from typing import List

import torch
from torch import nn
from torch.distributions import Categorical


@dataclass
class Rollout:
    logp: List[torch.Tensor] = field(default_factory=list)
    value: List[torch.Tensor] = field(default_factory=list)
    entropy: List[torch.Tensor] = field(default_factory=list)
    reward: List[float] = field(default_factory=list)

    def add(self, dist, action, value, reward):
        self.logp.append(dist.log_prob(action))
        self.entropy.append(dist.entropy())
        self.value.append(value)
        self.reward.append(reward)

    def returns(self, gamma):
        out, acc = [], 0.0
        for r in reversed(self.reward):
            acc = r + gamma * acc
            out.append(acc)
        return torch.tensor(out[::-1])

    def wipe(self):
        for xs in (self.logp, self.value, self.entropy, self.reward):
            xs.clear()


class Grid:
    MOVES = ((0, 1), (0, -1), (1, 0), (-1, 0))

    def __init__(self, side, limit, seed):
        self.side, self.limit = side, limit
        self.g = torch.Generator().manual_seed(seed)

    def reset(self):
        self.t = 0
        self.pos = torch.randint(0, self.side, (2,), generator=self.g).tolist()
        self.goal = torch.randint(0, self.side, (2,), generator=self.g).tolist()
        return self.obs()

    def obs(self):
        return torch.tensor(self.pos + self.goal, dtype=torch.float32) / self.side

    def step(self, a):
        self.t += 1
        self.pos = [min(max(p + d, 0), self.side - 1) for p, d in zip(self.pos, self.MOVES[a])]
        hit = self.pos == self.goal
        return self.obs(), (1.0 if hit else -0.05), hit or self.t >= self.limit


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 64), nn.Tanh())
        self.pi, self.v = nn.Linear(64, 4), nn.Linear(64, 1)
        self.rollout = Rollout()

    def forward(self, s):
        h = self.body(s)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


def finish_episode(net, opt):
    roll = net.rollout
    R, V = roll.returns(0.95), torch.stack(roll.value)
    adv = (R - V).detach()
    loss = -(torch.stack(roll.logp) * adv).sum() + nn.functional.smooth_l1_loss(V, R, reduction="sum")
    loss = loss - 0.02 * torch.stack(roll.entropy).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    total = sum(roll.reward)
    roll.wipe()
    return total


def main():
    torch.manual_seed(2)
    env, net = Grid(5, 12, 9), ActorCritic()
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    avg = 0.0
    for ep in range(150):
        s, done = env.reset(), False
        while not done:
            dist, v = net(s)
            a = dist.sample()
            s, r, done = env.step(int(a))
            net.rollout.add(dist, a, v, r)
        avg = 0.95 * avg + 0.05 * finish_episode(net, opt)
        if ep % 30 == 0:
            print(ep, round(avg, 3))


if __name__ == "__main__":
    main()
