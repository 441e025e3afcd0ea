import torch
from torch import nn


class ValueNet(nn.Module):
    def __init__(self, d, arms):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d, 20), nn.ReLU(), nn.Linear(20, arms))

    def forward(self, ctx):
        return self.net(ctx)


def choose(net, ctx, eps):
    with torch.no_grad():
        greedy = net(ctx).argmax(1)
    rnd = torch.randint(0, 4, greedy.shape)
    return torch.where(torch.rand(greedy.shape) < eps, rnd, greedy)
