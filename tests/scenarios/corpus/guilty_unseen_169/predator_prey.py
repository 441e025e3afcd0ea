# gradwatch-corpus: kind=graph-held
# holder: CALLS | CALLS[name] | CALLS["Agent.entropy"]
# first-bad: 1
# notice: 8
from collections import defaultdict
from functools import wraps

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(9)

CALLS = defaultdict(list)


def measured(fn):
    """Keeps what a method returned, for the table at the end of the run."""
    name = fn.__qualname__

    @wraps(fn)
    def inner(self, *args):
        out = fn(self, *args)
        CALLS[name].append((self.name, out))  # <- culprit
        return out

    return inner


class GridWorld:
    def __init__(self, size=6):
        self.size = size

    def reset(self):
        self.pos = torch.randint(self.size, (2, 2))
        return self.obs()

    def obs(self):
        flat = self.pos.float().flatten() / self.size
        return torch.cat([flat, (self.pos[0] - self.pos[1]).float() / self.size])

    def step(self, moves):
        deltas = torch.tensor([[0, 1], [0, -1], [1, 0], [-1, 0], [0, 0]])
        self.pos = (self.pos + deltas[torch.tensor(moves)]).clamp(0, self.size - 1)
        dist = (self.pos[0] - self.pos[1]).abs().sum().item()
        reward = 1.0 if dist == 0 else -0.05 * dist
        return self.obs(), (reward, -reward), dist == 0


class Agent:
    def __init__(self, name, gamma=0.95):
        self.name, self.gamma = name, gamma
        self.policy = nn.Sequential(nn.Linear(6, 24), nn.Tanh(), nn.Linear(24, 5))
        self.opt = torch.optim.Adam(self.policy.parameters(), lr=5e-3)
        self.start()

    def start(self):
        self.log_probs, self.rewards, self.dists = [], [], []

    def act(self, obs):
        dist = torch.distributions.Categorical(logits=self.policy(obs))
        a = dist.sample()
        self.log_probs.append(dist.log_prob(a))
        self.dists.append(dist)
        return a.item()

    def returns(self):
        out, run = [], 0.0
        for r in reversed(self.rewards):
            run = r + self.gamma * run
            out.append(run)
        g = torch.tensor(out[::-1])
        return g - g.mean()

    @measured
    def entropy(self):
        return torch.stack([d.entropy() for d in self.dists]).mean()  # <- culprit

    def learn(self):
        pg = -(torch.stack(self.log_probs) * self.returns()).mean()
        loss = pg - 0.01 * self.entropy()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        total = sum(self.rewards)
        self.start()
        return total


def episode(env, agents, horizon=10):
    obs = env.reset()
    for _ in range(horizon):
        moves = [agent.act(obs) for agent in agents]
        obs, rewards, done = env.step(moves)
        for agent, r in zip(agents, rewards):
            agent.rewards.append(r)
        if done:
            break


def main():
    env, agents = GridWorld(), [Agent("predator"), Agent("prey")]
    for ep in range(40):
        episode(env, agents)
        totals = {a.name: a.learn() for a in agents}
        if ep % 10 == 0:
            print(ep, {k: round(v, 2) for k, v in totals.items()})
    for name, rows in CALLS.items():
        for who in ("predator", "prey"):
            vals = [float(v) for w, v in rows if w == who]
            print(name, who, f"first {vals[0]:.3f} last {vals[-1]:.3f}")


if __name__ == "__main__":
    main()
