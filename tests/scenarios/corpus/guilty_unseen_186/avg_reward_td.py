# gradwatch-corpus: kind=graph-chain
# holder: self.rbar | critic.rbar | agent.rbar
# first-bad: 1
"""Differential (average-reward) TD control on a ring with tile features."""
import random

import torch
from torch import nn


class RingEnv:
    """Walk on a ring of cells; one cell pays, moving costs a little."""

    def __init__(self, size=12, seed=0):
        self.size = size
        self.rng = random.Random(seed)
        self.pos = 0

    def reset(self):
        self.pos = self.rng.randrange(self.size)
        return self.pos, {}

    def step(self, action):
        slip = self.rng.random() < 0.1
        move = (action - 1) if not slip else self.rng.choice([-1, 1])
        self.pos = (self.pos + move) % self.size
        reward = 1.0 if self.pos == self.size // 2 else -0.05 * abs(move)
        return self.pos, reward, False, False, {}


class Tiles:
    def __init__(self, size, n_actions, tilings=3):
        self.size, self.n_actions, self.tilings = size, n_actions, tilings
        self.dim = tilings * size * n_actions

    def __call__(self, s, a):
        f = torch.zeros(self.dim)
        for t in range(self.tilings):
            cell = ((s + t) // (t + 1)) % self.size
            f[(t * self.size + cell) * self.n_actions + a] = 1.0 / self.tilings
        return f


class DifferentialSarsa:
    def __init__(self, feats, n_actions, lr=0.3, eta=0.05, eps=0.1, seed=1):
        self.q = nn.Linear(feats.dim, 1, bias=False)
        nn.init.zeros_(self.q.weight)
        self.feats, self.n_actions = feats, n_actions
        self.opt = torch.optim.SGD(self.q.parameters(), lr=lr)
        self.eta, self.eps = eta, eps
        self.rbar = torch.zeros(1)
        self.rng = random.Random(seed)

    @torch.no_grad()
    def act(self, s):
        if self.rng.random() < self.eps:
            return self.rng.randrange(self.n_actions)
        values = [self.q(self.feats(s, a)).item() for a in range(self.n_actions)]
        best = max(values)
        return self.rng.choice([a for a, v in enumerate(values) if v == best])

    def td_error(self, s, a, r, s2, a2):
        with torch.no_grad():
            bootstrap = self.q(self.feats(s2, a2))
        return r - self.rbar + bootstrap - self.q(self.feats(s, a))

    def _track(self, delta):
        self.rbar = self.rbar + self.eta * delta  # <- culprit

    def learn(self, *transition):
        delta = self.td_error(*transition)
        loss = 0.5 * delta.pow(2).sum()
        self.opt.zero_grad()
        loss.backward(retain_graph=True)
        nn.utils.clip_grad_norm_(self.q.parameters(), 1.0)
        self.opt.step()
        self._track(delta)
        return loss.item()


def main(steps=500):
    torch.manual_seed(0)
    env = RingEnv()
    agent = DifferentialSarsa(Tiles(env.size, 3), 3)
    s, _ = env.reset()
    a = agent.act(s)
    gained, errs = 0.0, 0.0
    for t in range(1, steps + 1):
        s2, r, *_ = env.step(a)
        a2 = agent.act(s2)
        errs += agent.learn(s, a, r, s2, a2)
        gained += r
        s, a = s2, a2
        if t % 100 == 0:
            print(f"t={t} reward={gained / t:.3f} td={errs / t:.4f} rbar={agent.rbar.item():.3f}", flush=True)


if __name__ == "__main__":
    main()
