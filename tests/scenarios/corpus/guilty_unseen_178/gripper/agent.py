import torch
from torch import nn


class LoggingMixin:
    metrics = None

    def log(self, weight, **values):
        if self.metrics is not None:
            self.metrics.log(weight, **values)


class GripperAgent(LoggingMixin):
    def __init__(self, metrics, reg=1e-3):
        self.metrics = metrics
        self.reg = reg
        self.policy = nn.Sequential(nn.Linear(12, 40), nn.Mish(), nn.Linear(40, 4), nn.Tanh())
        self.opt = torch.optim.Adam(self.policy.parameters(), lr=2e-3)

    def learn(self, batch):
        obs, act = batch
        pred = self.policy(obs)
        bc = (pred - act).abs().mean()
        reg = pred.square().mean()
        loss = bc + self.reg * reg
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.log(len(obs), bc=bc, reg=reg.item(), force=pred.detach().abs().max())
