# gradwatch-corpus: kind=graph-held
# holder: self.storage | self.memory.storage | agent.memory.storage | memory.storage
# first-bad: 1
# after: oxwhirl/pymarl PR 73 "Fix memory leak" (what act() returns goes into the replay buffer with its graph)
"""Order quantities for a warehouse of several goods: PPO with a long memory of good episodes."""
import random
from collections import deque
from dataclasses import dataclass

import torch
from torch import nn
from torch.distributions import Normal


@dataclass
class Transition:
    state: torch.Tensor
    action: torch.Tensor
    logp: torch.Tensor
    value: torch.Tensor
    reward: float
    ret: float = 0.0


class Warehouse:
    def __init__(self, goods=4, seed=0):
        self.goods, self.rng = goods, torch.Generator().manual_seed(seed)

    def reset(self):
        self.stock = torch.ones(self.goods) * 2
        return self.stock.clone()

    def step(self, order):
        self.stock = self.stock + order.clamp(0, 3)
        demand = torch.poisson(torch.ones(self.goods), generator=self.rng)
        sold = torch.minimum(self.stock, demand)
        self.stock = self.stock - sold
        reward = (2 * sold - 0.3 * self.stock - 0.5 * order.clamp(min=0)).mean()
        return self.stock.clone(), reward.item()


class EpisodeMemory:
    def __init__(self, capacity=100_000):
        self.storage = deque(maxlen=capacity)

    def extend(self, episode, gamma):
        ret = 0.0
        for tr in reversed(episode):
            ret = tr.reward + gamma * ret
            tr.ret = ret
        self.storage.extend(episode)  # <- culprit

    def sample(self, n):
        picked = random.sample(self.storage, min(n, len(self.storage)))

        def cat(name):
            return torch.stack([getattr(t, name).detach() for t in picked])
        ret = torch.tensor([t.ret for t in picked])
        return cat("state"), cat("action"), cat("logp"), cat("value"), ret


class Actor(nn.Module):
    def __init__(self, goods, width=32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(goods, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.mu, self.v = nn.Linear(width, goods), nn.Linear(width, 1)
        self.log_std = nn.Parameter(torch.full((goods,), -0.5))

    def forward(self, s):
        h = self.trunk(s)
        return Normal(self.mu(h) + 1, self.log_std.exp()), self.v(h).squeeze(-1)


class Agent:
    def __init__(self, env, gamma=0.95, clip=0.2):
        self.env, self.gamma, self.clip = env, gamma, clip
        self.net, self.memory = Actor(env.goods), EpisodeMemory()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=3e-3)

    def act(self, state):
        dist, value = self.net(state)
        action = dist.sample()
        return action, dist.log_prob(action).sum(-1), value  # <- culprit

    def play(self, length=20):
        state, episode = self.env.reset(), []
        for _ in range(length):
            action, logp, value = self.act(state)
            nxt, reward = self.env.step(action)
            episode.append(Transition(state, action, logp, value, reward))
            state = nxt
        self.memory.extend(episode, self.gamma)
        return sum(t.reward for t in episode)

    def learn(self, batch=128):
        s, a, old, v_old, ret = self.memory.sample(batch)
        dist, v = self.net(s)
        ratio = (dist.log_prob(a).sum(-1) - old).exp()
        adv = ret - v_old
        adv = (adv - adv.mean()) / (adv.std() + 1e-6)
        policy = -torch.minimum(ratio * adv, ratio.clamp(1 - self.clip, 1 + self.clip) * adv).mean()
        loss = policy + 0.5 * (v - ret).pow(2).mean() - 0.01 * dist.entropy().mean()
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
        self.opt.step()


def main(episodes=100):
    random.seed(0)
    torch.manual_seed(0)
    agent, score = Agent(Warehouse()), deque(maxlen=20)
    for e in range(episodes):
        score.append(agent.play())
        agent.learn()
        if (e + 1) % 25 == 0:
            print(f"episode {e + 1}: {sum(score) / len(score):.2f}")


if __name__ == "__main__":
    main()
