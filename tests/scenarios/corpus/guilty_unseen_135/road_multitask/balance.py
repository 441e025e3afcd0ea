import torch
from torch import nn


class UncertaintyBalance(nn.Module):
    """Kendall-style weights, damped over time so that the tasks do not swing."""

    def __init__(self, tasks, momentum):
        super().__init__()
        self.tasks = tasks
        self.momentum = momentum
        self.log_var = nn.Parameter(torch.zeros(len(tasks)))
        self.smooth = torch.zeros(len(tasks))

    def forward(self, losses):
        self.smooth = self.smooth.lerp(self.log_var, 1 - self.momentum)  # <- culprit
        stacked = torch.stack([losses[t] for t in self.tasks])
        total = (torch.exp(-self.smooth) * stacked + self.smooth).sum()
        parts = {t: losses[t].item() for t in self.tasks}
        return total, parts
