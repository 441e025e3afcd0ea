from torch import nn
import torch


class ChurnNet(nn.Module):
    def __init__(self, n_num, n_plans):
        super().__init__()
        self.plan = nn.Embedding(n_plans, 3)
        self.body = nn.Sequential(nn.Linear(n_num + 3, 16), nn.GELU(), nn.Linear(16, 1))

    def forward(self, num, plan):
        return self.body(torch.cat([num, self.plan(plan)], dim=1)).squeeze(1)
