# gradwatch-corpus: kind=crashed
# first-bad: 50
"""Dyna-style value learning: imagined transitions come from a generator over a learned one-step
model, and the value network is regressed on their targets."""
import copy
import itertools

import torch
from torch import nn


class OneStep(nn.Module):
    def __init__(self, n_obs, n_act, width=32):
        super().__init__()
        self.n_act = n_act
        self.net = nn.Sequential(nn.Linear(n_obs + n_act, width), nn.SiLU(), nn.Linear(width, n_obs + 1))

    def forward(self, obs, act):
        hot = nn.functional.one_hot(act, self.n_act).float()
        delta, rew = self.net(torch.cat([obs, hot], 1)).split([obs.shape[1], 1], 1)
        return obs + 0.1 * delta, torch.tanh(rew.squeeze(1))


class Value(nn.Module):
    def __init__(self, n_obs, n_act, width=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_obs, width), nn.ReLU(), nn.Linear(width, n_act))

    def forward(self, obs):
        return self.net(obs)


class Imagination:
    def __init__(self, model, target, starts, batch, gamma=0.95, eps=0.2):
        self.model, self.target, self.starts = model, target, starts
        self.batch, self.gamma, self.eps = batch, gamma, eps

    def act(self, obs):
        greedy = self.target(obs).argmax(1)
        explore = torch.rand(len(obs)) < self.eps
        return torch.where(explore, torch.randint(0, self.model.n_act, greedy.shape), greedy)

    def transitions(self, depth=5):
        while True:
            obs = self.starts[torch.randint(0, len(self.starts), (self.batch,))]
            for _ in range(depth):
                with torch.no_grad():  # <- culprit
                    act = self.act(obs)
                    nxt, rew = self.model(obs, act)
                    goal = rew + self.gamma * self.target(nxt).max(1).values
                    yield obs, act, goal
                obs = nxt


class Soft:
    def __init__(self, source, tau=0.02):
        self.source, self.copy, self.tau = source, copy.deepcopy(source), tau

    @torch.no_grad()
    def follow(self):
        for t, p in zip(self.copy.parameters(), self.source.parameters()):
            t.lerp_(p, self.tau)


def fit_model(model, g, steps=50):
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    obs = torch.randn(512, 4, generator=g)
    act = torch.randint(0, 3, (512,), generator=g)
    push = torch.randn(3, 4, generator=g)
    nxt, rew = 0.95 * obs + 0.1 * push[act], torch.exp(-obs.norm(dim=1))
    for idx in itertools.islice(itertools.cycle(torch.randperm(512, generator=g).split(64)), steps):
        p, r = model(obs[idx], act[idx])
        loss = (p - nxt[idx]).pow(2).mean() + (r - rew[idx]).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    return obs


def main(steps=600):
    torch.manual_seed(23)
    model, value = OneStep(4, 3), Value(4, 3)
    starts = fit_model(model, torch.Generator().manual_seed(23))
    soft = Soft(value)
    dream = Imagination(model, soft.copy, starts, batch=32)
    opt = torch.optim.Adam(value.parameters(), lr=1e-3)
    for s, (obs, act, goal) in enumerate(itertools.islice(dream.transitions(), steps)):
        q = value(obs).gather(1, act[:, None]).squeeze(1)
        loss = nn.functional.smooth_l1_loss(q, goal)
        opt.zero_grad()
        loss.backward()
        opt.step()
        soft.follow()
        if s % 100 == 0:
            print(f"{s} td {loss.item():.4f} q {q.mean().item():.3f}")


if __name__ == "__main__":
    main()
