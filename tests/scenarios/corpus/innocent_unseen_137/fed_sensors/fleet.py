import copy

import torch
from torch import nn
import torch.nn.functional as F


class Sensor:
    def __init__(self, gains, n):
        self.x = torch.randn(n, 6)
        self.y = torch.tanh(self.x * gains).sum(1) + 0.1 * torch.randn(n)

    def minibatches(self, size=10):
        for idx in torch.randperm(len(self.x)).split(size):
            yield self.x[idx], self.y[idx]


class LocalRun:
    def __init__(self, start, mu):
        self.net = copy.deepcopy(start)
        self.anchor = [p.detach().clone() for p in start.parameters()]
        self.mu = mu
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.03)
        self.losses = []

    def proximal(self):
        return sum((p - a).square().sum() for p, a in zip(self.net.parameters(), self.anchor))

    def epoch(self, sensor):
        for x, y in sensor.minibatches():
            loss = F.mse_loss(self.net(x).squeeze(1), y) + 0.5 * self.mu * self.proximal()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.losses.append(loss)
        return self


class Fleet:
    def __init__(self, sensors):
        self.sensors = sensors
        self.net = nn.Sequential(nn.Linear(6, 12), nn.Tanh(), nn.Linear(12, 1))

    def round(self):
        means, states = [], []
        for sensor in self.sensors:
            run = LocalRun(self.net, mu=0.01).epoch(sensor)
            means.append(torch.stack(run.losses).mean().item())
            states.append(run.net.state_dict())
        self.net.load_state_dict({k: torch.stack([s[k] for s in states]).mean(0) for k in states[0]})
        return sum(means) / len(means)
