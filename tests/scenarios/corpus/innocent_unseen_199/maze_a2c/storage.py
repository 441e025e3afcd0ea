from collections import defaultdict, deque

import torch


class Rollout:
    def __init__(self, keep=3):
        self.columns = defaultdict(list)
        self.past = deque(maxlen=keep)

    def add(self, **row):
        for name, value in row.items():
            self.columns[name].append(value)

    def __getattr__(self, name):
        if name.startswith("_") or name == "columns":
            raise AttributeError(name)
        return self.columns[name]

    def mean_reward(self):
        return torch.stack(self.columns["reward"]).mean().item()

    def reset(self):
        self.past.append(dict(self.columns))
        self.columns.clear()
