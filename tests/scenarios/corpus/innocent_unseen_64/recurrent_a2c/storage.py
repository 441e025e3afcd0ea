"""Rollout storage with live log-probabilities and values."""
from collections import defaultdict

import torch


class Rollout:
    def __init__(self):
        self.lists = defaultdict(list)

    def add(self, **items):
        for k, v in items.items():
            self.lists[k].append(v)

    def stacked(self, key):
        return torch.stack(self.lists[key])

    def returns(self, last, gamma):
        out, acc = [], last
        for r in reversed(self.lists["reward"]):
            acc = r + gamma * acc
            out.append(acc)
        return torch.stack(out[::-1])

    def __len__(self):
        return len(self.lists["reward"])

    def clear(self):
        self.lists.clear()


class CueEnv:
    """The cue is shown at the first step of each trial only; the right action is to repeat it after."""

    def __init__(self, n, trial=6):
        self.n, self.trial, self.t = n, trial, 0
        self.cue = torch.randint(0, 3, (n,))

    def obs(self):
        shown = torch.nn.functional.one_hot(self.cue, 3).float() if self.t == 0 else torch.zeros(self.n, 3)
        return torch.cat([shown, torch.full((self.n, 1), self.t / self.trial)], dim=1)

    def step(self, action):
        reward = (action == self.cue).float()
        self.t = (self.t + 1) % self.trial
        if self.t == 0:
            self.cue = torch.randint(0, 3, (self.n,))
        return reward
