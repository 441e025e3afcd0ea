import torch
from torch import nn


class Multipliers(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.raw = nn.Parameter(torch.full((n,), -1.0))

    def value(self):
        return nn.functional.softplus(self.raw)

    def penalty(self, gap, slack=0.02):
        return (self.value() * (gap.detach() - slack)).sum()


class EpochLedger:
    def __init__(self):
        self.penalties = []
        self.tasks = []

    def enter(self, penalty, task):
        self.penalties.append(penalty)
        self.tasks.append(task.item())

    def mean_penalty(self):
        return torch.stack(self.penalties).mean()

    def mean_task(self):
        return sum(self.tasks) / len(self.tasks)
