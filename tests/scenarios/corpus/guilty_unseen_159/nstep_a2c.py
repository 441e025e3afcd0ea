# gradwatch-corpus: kind=second-backward
# holder: self.items | store.items | self.store.items | agent.store.items
# first-bad: 31
# notice: 0
"""n-step advantage actor-critic on a corridor game with a length curriculum."""
from dataclasses import dataclass

import torch
from torch import nn
from torch.distributions import Categorical

torch.set_num_threads(1)
torch.manual_seed(47)


@dataclass
class Move:
    logp: torch.Tensor
    value: torch.Tensor
    entropy: torch.Tensor
    reward: float
    done: bool


class Corridor:
    def __init__(self, lengths):
        self.lengths = lengths
        self.episode = -1

    def reset(self):
        self.episode += 1
        self.limit = self.lengths(self.episode)
        self.pos, self.t = 0, 0
        return self._obs()

    def _obs(self):
        x = torch.zeros(8)
        x[self.pos + 3] = 1.0
        x[7] = self.t / self.limit
        return x

    def step(self, a):
        self.t += 1
        self.pos = max(-3, min(3, self.pos + (1 if a else -1)))
        return self._obs(), 0.1 * self.pos, self.t >= self.limit


class Store:
    """Window of moves; `turn` prepares it for the next window."""

    def __init__(self, n):
        self.n, self.items = n, []

    def add(self, move):
        self.items.append(move)

    @property
    def full(self):
        return len(self.items) >= self.n

    def turn(self):
        last = self.items[-1]
        self.items = [] if last.done else [last]  # <- culprit

    def returns(self, tail, gamma=0.95):
        out, g = [], tail
        for m in reversed(self.items):
            g = m.reward + gamma * g * (not m.done)
            out.append(g)
        return torch.tensor(out[::-1])


class Agent(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 32), nn.Tanh())
        self.pi, self.v = nn.Linear(32, 2), nn.Linear(32, 1)
        self.store = Store(n)

    def act(self, obs):
        z = self.body(obs)
        d = Categorical(logits=self.pi(z))
        a = d.sample()
        return a.item(), (d.log_prob(a), self.v(z).squeeze(-1), d.entropy())

    def loss(self, obs):
        with torch.no_grad():
            tail = self.v(self.body(obs)).item()
        ms = self.store.items
        v = torch.stack([m.value for m in ms])
        adv = self.store.returns(tail) - v
        lp = torch.stack([m.logp for m in ms])
        ent = torch.stack([m.entropy for m in ms]).mean()
        return -(lp * adv.detach()).mean() + 0.5 * adv.square().mean() - 0.01 * ent


def windows(env, agent):
    obs = env.reset()
    while True:
        a, parts = agent.act(obs)
        obs, r, done = env.step(a)
        agent.store.add(Move(*parts, reward=r, done=done))
        if done:
            obs = env.reset()
        if agent.store.full:
            yield agent.loss(obs), done
            agent.store.turn()


def main(updates=120, n=5):
    env = Corridor(lambda e: n if e < 30 else 2 * n + 2)
    agent = Agent(n)
    opt = torch.optim.RMSprop(agent.parameters(), lr=3e-3)
    for k, (loss, _) in zip(range(updates), windows(env, agent)):
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
        opt.step()
        if k % 10 == 0:
            print(k, round(loss.item(), 4))


if __name__ == "__main__":
    main()
