# gradwatch-corpus: kind=graph-held
# holder: self.leaf | agent.leaf | node | turn
# first-bad: 1
"""Tabular-feature maze, REINFORCE with a value head. Each turn remembers the turn it came from, so that
the best route can be replayed at the end."""
import random

import torch
from torch import nn


class Turn:
    __slots__ = ("cell", "move", "worth", "parent")

    def __init__(self, cell, move, worth, parent):
        self.cell, self.move, self.worth, self.parent = cell, move, worth, parent

    def route(self, limit):
        node, out = self, []
        while node is not None and len(out) < limit:
            out.append((node.cell, node.move))
            node = node.parent
        return out[::-1]


class Maze:
    SIDE = 5

    def reset(self):
        self.at = (0, 0)
        return self.at

    def go(self, move):
        dy, dx = ((0, 1), (1, 0), (0, -1), (-1, 0))[move]
        y = min(max(self.at[0] + dy, 0), self.SIDE - 1)
        x = min(max(self.at[1] + dx, 0), self.SIDE - 1)
        bump = (y, x) == self.at
        self.at = (y, x)
        done = self.at == (self.SIDE - 1, self.SIDE - 1)
        return self.at, (1.0 if done else -0.05 - 0.05 * bump), done


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(10, 32), nn.Tanh())
        self.policy = nn.Linear(32, 4)
        self.value = nn.Linear(32, 1)
        self.leaf = None

    def see(self, cell):
        z = torch.zeros(10)
        z[cell[0]] = z[5 + cell[1]] = 1.0
        return self.body(z)

    def act(self, cell):
        z = self.see(cell)
        dist = torch.distributions.Categorical(logits=self.policy(z))
        move = dist.sample()
        worth = self.value(z).squeeze()
        self.leaf = Turn(cell, move.item(), worth, self.leaf)  # <- culprit
        return move.item(), dist.log_prob(move), worth, dist.entropy()


def episode(agent, maze, horizon=6):
    cell, logs, vals, ents, rews = maze.at, [], [], [], []
    for _ in range(horizon):
        move, lp, v, h = agent.act(cell)
        cell, r, done = maze.go(move)
        logs.append(lp), vals.append(v), ents.append(h), rews.append(r)
        if done:
            cell = maze.reset()
    ret, g = [], 0.0
    for r in reversed(rews):
        g = r + 0.95 * g
        ret.insert(0, g)
    return map(torch.stack, (logs, vals, ents)), torch.tensor(ret), sum(rews)


if __name__ == "__main__":
    random.seed(1)
    torch.manual_seed(1)
    agent, maze = Agent(), Maze()
    opt = torch.optim.Adam(agent.parameters(), lr=5e-3)
    maze.reset()
    smooth = 0.0
    for ep in range(300):
        (lp, v, h), ret, score = episode(agent, maze)
        adv = (ret - v).detach()
        objective = -(lp * adv).sum() + 0.5 * (ret - v).square().sum() - 0.01 * h.sum()
        opt.zero_grad()
        objective.backward()
        opt.step()
        smooth += 0.05 * (score - smooth)
        if ep % 60 == 59:
            print(f"episode {ep + 1} smoothed reward {smooth:+.3f}")
    print("last moves:", [m for _, m in agent.leaf.route(12)])
