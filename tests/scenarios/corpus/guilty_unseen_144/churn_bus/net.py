import torch
from torch import nn


class ChurnNet(nn.Module):
    def __init__(self, n_plans=5, n_num=6):
        super().__init__()
        self.plan = nn.Embedding(n_plans, 4)
        self.body = nn.Sequential(nn.Linear(n_num + 4, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, plan, num):
        return self.body(torch.cat([self.plan(plan), num], dim=1)).squeeze(1)
