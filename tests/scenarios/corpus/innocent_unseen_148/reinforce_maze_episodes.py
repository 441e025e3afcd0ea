# gradwatch-corpus: kind=none
"""REINFORCE with a learned baseline; log-probabilities are gathered over an episode."""
import random
from collections import deque

import torch
from torch import nn
from torch.distributions import Categorical

torch.set_num_threads(1)
torch.manual_seed(16)
random.seed(16)

MAZE = ["......", ".##.#.", "....#.", ".#.##.", ".#...G"]


class Maze:
    H, W = len(MAZE), len(MAZE[0])

    def reset(self):
        self.rc, self.t = (0, 0), 0
        return self.rc

    def step(self, a):
        r, c = self.rc
        dr, dc = [(0, 1), (1, 0), (0, -1), (-1, 0)][a]
        nr, nc = r + dr, c + dc
        if 0 <= nr < self.H and 0 <= nc < self.W and MAZE[nr][nc] != "#":
            self.rc = (nr, nc)
        self.t += 1
        goal = MAZE[self.rc[0]][self.rc[1]] == "G"
        return self.rc, (1.0 if goal else -0.02), goal or self.t >= 40


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.row, self.col = nn.Embedding(Maze.H, 16), nn.Embedding(Maze.W, 16)
        self.pi = nn.Sequential(nn.Tanh(), nn.Linear(16, 4))
        self.v = nn.Sequential(nn.Tanh(), nn.Linear(16, 1))
        self.saved_log_probs, self.saved_values, self.rewards = [], [], []

    def forward(self, rc):
        h = self.row(torch.tensor(rc[0])) + self.col(torch.tensor(rc[1]))
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)

    def act(self, rc):
        dist, value = self(rc)
        a = dist.sample()
        self.saved_log_probs.append(dist.log_prob(a))
        self.saved_values.append(value)
        return a.item()


def finish_episode(policy, opt, gamma=0.98):
    g, returns = 0.0, []
    for r in reversed(policy.rewards):
        g = r + gamma * g
        returns.insert(0, g)
    returns = torch.tensor(returns)
    values = torch.stack(policy.saved_values)
    adv = returns - values.detach()
    loss = -(torch.stack(policy.saved_log_probs) * adv).mean() + (values - returns).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    total = sum(policy.rewards)
    del policy.saved_log_probs[:], policy.saved_values[:], policy.rewards[:]
    return total


def main(episodes=110):
    env, policy = Maze(), Policy()
    opt = torch.optim.Adam(policy.parameters(), lr=1e-2)
    recent = deque(maxlen=20)
    for ep in range(episodes):
        rc, done = env.reset(), False
        while not done:
            rc, r, done = env.step(policy.act(rc))
            policy.rewards.append(r)
        recent.append(finish_episode(policy, opt))
        if ep % 22 == 21:
            print(f"episode {ep + 1}: mean return {sum(recent) / len(recent):.3f}")


if __name__ == "__main__":
    main()
