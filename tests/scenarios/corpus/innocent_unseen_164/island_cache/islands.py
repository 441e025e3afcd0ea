import torch
from torch import nn


class Island:
    def __init__(self, name, tasks, lr=0.02):
        self.name = name
        self.tasks = tasks
        self.head = nn.Sequential(nn.Linear(10, 12), nn.Tanh(), nn.Linear(12, 1))
        self.opt = torch.optim.SGD(self.head.parameters(), lr=lr)
        self.elite = None
        self.fitness = []

    def loss(self, cache, targets):
        parts = [(self.head(cache[t]) - targets[t]).pow(2).mean() for t in self.tasks]
        return torch.stack(parts).mean()

    def settle(self, value):
        self.fitness.append(value)
        if self.elite is None or value < self.elite[0]:
            self.elite = (value, {k: v.detach().clone() for k, v in self.head.state_dict().items()})

    def immigrate(self, elite):
        state = self.head.state_dict()
        self.head.load_state_dict({k: 0.5 * state[k] + 0.5 * elite[k] for k in state})
