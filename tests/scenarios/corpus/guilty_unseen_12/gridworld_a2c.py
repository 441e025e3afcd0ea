# gradwatch-corpus: kind=inplace-modified
# first-bad: 20
# also: retain-needless
"""Advantage actor-critic on a small gridworld with pits, written after lecture 9 of our RL class. The critic gets a
head start of some updates, then the actor joins in."""
import random

import torch
import torch.nn as nn
from torch.distributions import Categorical

torch.manual_seed(3)
random.seed(3)
torch.set_num_threads(1)

SIZE = 6
PITS = {(1, 3), (4, 1), (3, 4)}
GOAL = (5, 5)
N_ENVS = 8
N_STEPS = 6
GAMMA = 0.95
HEAD_START = 20
UPDATES = 400


class Grid:
    moves = [(0, 1), (1, 0), (0, -1), (-1, 0)]

    def __init__(self):
        self.reset()

    def reset(self):
        self.pos = (0, 0)
        self.t = 0

    def obs(self):
        o = [0.0] * (2 * SIZE)
        o[self.pos[0]] = 1.0
        o[SIZE + self.pos[1]] = 1.0
        return o

    def step(self, a):
        dx, dy = self.moves[a]
        x = min(SIZE - 1, max(0, self.pos[0] + dx))
        y = min(SIZE - 1, max(0, self.pos[1] + dy))
        self.pos = (x, y)
        self.t += 1
        if self.pos == GOAL:
            r, done = 1.0, True
        elif self.pos in PITS:
            r, done = -1.0, True
        else:
            r, done = -0.01, self.t >= 40
        if done:
            self.reset()
        return r, done


def mlp(n_out):
    return nn.Sequential(nn.Linear(2 * SIZE, 48), nn.Tanh(), nn.Linear(48, n_out))


envs = [Grid() for _ in range(N_ENVS)]
actor, critic = mlp(4), mlp(1)
actor_opt = torch.optim.Adam(actor.parameters(), lr=3e-3)
critic_opt = torch.optim.Adam(critic.parameters(), lr=1e-2)


def observe():
    return torch.tensor([e.obs() for e in envs])


def collect():
    S, A, R, D = [], [], [], []
    for _ in range(N_STEPS):
        s = observe()
        with torch.no_grad():
            a = Categorical(logits=actor(s)).sample()
        out = [e.step(i) for e, i in zip(envs, a.tolist())]
        S.append(s)
        A.append(a)
        R.append(torch.tensor([o[0] for o in out]))
        D.append(torch.tensor([float(o[1]) for o in out]))
    return torch.stack(S), torch.stack(A), torch.stack(R), torch.stack(D)


def n_step_returns(R, D):
    with torch.no_grad():
        run = critic(observe()).squeeze(-1)
    out = []
    for r, d in zip(R.flip(0), D.flip(0)):
        run = r + GAMMA * run * (1 - d)
        out.append(run)
    return torch.stack(out[::-1])


def learn(S, A, R, D, train_actor):
    returns = n_step_returns(R, D)
    values = critic(S).squeeze(-1)
    advantage = returns - values  # <- culprit

    critic_loss = advantage.pow(2).mean()
    critic_opt.zero_grad()
    critic_loss.backward(retain_graph=True)
    critic_opt.step()  # <- culprit

    if not train_actor:
        return critic_loss.item(), 0.0
    dist = Categorical(logits=actor(S))
    actor_loss = -(dist.log_prob(A) * advantage).mean() - 0.01 * dist.entropy().mean()
    actor_opt.zero_grad()
    actor_loss.backward()
    actor_opt.step()
    return critic_loss.item(), actor_loss.item()


if __name__ == "__main__":
    score, count = 0.0, 0
    for update in range(UPDATES):
        S, A, R, D = collect()
        c, a = learn(S, A, R, D, train_actor=update >= HEAD_START)
        score += R.sum().item()
        count += int(D.sum().item())
        if update % 10 == 9:
            print(f"update {update + 1}: critic {c:.4f} actor {a:+.4f} reward/episode {score / max(1, count):+.2f}")
            score, count = 0.0, 0
