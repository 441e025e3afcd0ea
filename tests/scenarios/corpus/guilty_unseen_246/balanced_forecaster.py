# gradwatch-corpus: kind=second-backward
# holder: self.level | self.level[name] | balancer.level | self.balancer.level | self.balancer.level[name]
# first-bad: 1
import abc
import math

import torch
from torch import nn
import torch.nn.functional as F


class TurbineSeries:
    """Wind speed, output and fault flag of a turbine, in sliding windows."""

    def __init__(self, length, window, seed):
        gen = torch.Generator().manual_seed(seed)
        hours = torch.arange(length).float()
        gust = 0.4 * torch.randn(length, generator=gen)
        self.wind = 6 + 3 * torch.sin(hours * 2 * math.pi / 24) + gust
        self.power = self.wind.clamp(3, 9).pow(2) / 81
        self.fault = (self.wind > 9.2).float()
        self.window = window
        self.gen = gen

    def sample(self, count):
        limit = len(self.wind) - self.window - 1
        starts = torch.randint(0, limit, (count,), generator=self.gen)
        index = starts.unsqueeze(1) + torch.arange(self.window)
        nxt = starts + self.window
        features = torch.stack([self.wind[index] / 10, self.power[index]], dim=1)
        return features, {
            "wind": self.wind[nxt] / 10,
            "power": self.power[nxt],
            "fault": self.fault[nxt],
        }


class Task(abc.ABC):
    def __init__(self, name):
        self.name = name

    @abc.abstractmethod
    def loss(self, prediction, target):
        ...


class RegressionTask(Task):
    def loss(self, prediction, target):
        return F.mse_loss(prediction, target)


class AlarmTask(Task):
    def loss(self, prediction, target):
        return F.binary_cross_entropy_with_logits(prediction, target)


class ScaleBalancer:
    """Divides each task's loss by its recent level so that none dominates."""

    def __init__(self, names, inertia=0.9):
        self.inertia = inertia
        self.level = {name: None for name in names}

    def observe(self, name, loss):
        previous = self.level[name]
        if previous is None:
            self.level[name] = loss  # <- culprit
            return
        self.level[name] = self.inertia * previous + (1 - self.inertia) * loss  # <- culprit

    def combine(self, losses):
        total = 0.0
        for name, loss in losses.items():
            self.observe(name, loss)
            total = total + loss / (self.level[name] + 1e-6)
        return total / len(losses)


class TurbineNet(nn.Module):
    def __init__(self, window, tasks):
        super().__init__()
        self.tasks = tasks
        self.encoder = nn.Sequential(
            nn.Conv1d(2, 16, 5, padding=2),
            nn.ReLU(),
            nn.Flatten(),
            nn.Linear(16 * window, 32),
            nn.ReLU(),
        )
        self.heads = nn.ModuleDict({task.name: nn.Linear(32, 1) for task in tasks})

    def losses(self, features, targets):
        code = self.encoder(features)
        result = {}
        for task in self.tasks:
            prediction = self.heads[task.name](code).squeeze(1)
            result[task.name] = task.loss(prediction, targets[task.name])
        return result


class Fitter:
    def __init__(self, net, balancer, series):
        self.net = net
        self.balancer = balancer
        self.series = series
        self.optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)

    def run(self, steps):
        for step in range(steps):
            features, targets = self.series.sample(32)
            losses = self.net.losses(features, targets)
            objective = self.balancer.combine(losses)
            self.optimizer.zero_grad()
            objective.backward()
            self.optimizer.step()
            if step % 25 == 0:
                shown = {name: round(v.item(), 4) for name, v in losses.items()}
                print(step, shown)


if __name__ == "__main__":
    torch.manual_seed(23)
    tasks = [RegressionTask("wind"), RegressionTask("power"), AlarmTask("fault")]
    net = TurbineNet(window=24, tasks=tasks)
    balancer = ScaleBalancer([task.name for task in tasks])
    Fitter(net, balancer, TurbineSeries(3000, 24, seed=23)).run(100)
