"""Homoscedastic uncertainty weighting (Kendall et al.) with smoothed log-variances."""
import torch
import torch.nn.functional as F
from torch import nn


class UncertaintyBalancer(nn.Module):
    def __init__(self, tasks, momentum=0.9):
        super().__init__()
        self.tasks = tuple(tasks)
        self.momentum = momentum
        self.log_vars = nn.Parameter(torch.zeros(len(self.tasks)))
        self.smoothed = torch.zeros(len(self.tasks))

    def _update(self):
        self.smoothed = torch.lerp(self.smoothed, self.log_vars, 1.0 - self.momentum)  # <- culprit
        return self.smoothed

    def _task_loss(self, task, pred, target):
        if task == "toxicity":
            return F.binary_cross_entropy_with_logits(pred, target)
        return F.smooth_l1_loss(pred, target)

    def forward(self, outputs, targets):
        s = self._update()
        total = 0.0
        parts = {}
        for i, task in enumerate(self.tasks):
            loss = self._task_loss(task, outputs[task], targets[task])
            total = total + torch.exp(-s[i]) * loss + 0.5 * s[i]
            parts[task] = loss.item()
        return total, parts

    def current_weights(self):
        with torch.no_grad():
            w = torch.exp(-self.smoothed)
        return {t: w[i].item() for i, t in enumerate(self.tasks)}
