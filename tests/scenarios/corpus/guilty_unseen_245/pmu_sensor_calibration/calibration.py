from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class StepReport:
    mean_cost: float
    worst_channel: int


class RecursiveCalibrator:
    """Least-squares style calibration: every snapshot enters a cumulative Huber cost."""

    def __init__(self, n_buses, n_channels, lr):
        self.gain = nn.Linear(n_buses, n_channels)
        self.optimizer = torch.optim.Adam(self.gain.parameters(), lr=lr)
        self.cumulative_cost = torch.zeros(())
        self.n_seen = 0

    def snapshot_cost(self, snapshot):
        predicted = self.gain(snapshot.voltages)
        per_channel = F.huber_loss(predicted, snapshot.readings, reduction="none").mean(dim=0)
        return per_channel.mean(), per_channel

    def assimilate(self, snapshot):
        cost, per_channel = self.snapshot_cost(snapshot)
        self.cumulative_cost = self.cumulative_cost + cost  # <- culprit
        self.n_seen += 1
        self.optimizer.zero_grad()
        objective = self.cumulative_cost / self.n_seen
        objective.backward(retain_graph=True)  # <- culprit
        self.optimizer.step()
        return StepReport(objective.item(), int(per_channel.argmax()))

    @torch.no_grad()
    def gain_error(self, jacobian):
        diff = self.gain.weight.t() - jacobian
        return (diff.norm() / jacobian.norm()).item()
