# gradwatch-corpus: kind=graph-held
# holder: self.sum | meter.sum | forward_meter.sum | self.avg | meter.avg | forward_meter.avg
# first-bad: 1
# also: graph-unused
"""Prequential test: each stretch of days is first forecast, then learnt."""
import torch
from torch import nn

from .market import WalkForward, synthetic_market
from .meters import AverageMeter


class ReturnNet(nn.Module):
    def __init__(self, features, width=24):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(features, width), nn.SiLU(), nn.Dropout(0.1),
            nn.Linear(width, width), nn.SiLU(), nn.Linear(width, 1),
        )

    def forward(self, x):
        return self.layers(x).squeeze(-1)


def forecast_error(net, criterion, x, y):
    net.eval()
    loss = criterion(net(x), y)  # <- culprit
    net.train()
    return loss  # <- culprit


def run_pass(net, optimizer, criterion, walk):
    fit_meter, forward_meter = AverageMeter("fit"), AverageMeter("forward")
    for x, y in walk:
        forward_meter.update(forecast_error(net, criterion, x, y), len(x))  # <- culprit
        optimizer.zero_grad()
        loss = criterion(net(x), y)
        loss.backward()
        optimizer.step()
        fit_meter.update(loss.item(), len(x))
    return fit_meter, forward_meter


def main():
    torch.manual_seed(2)
    walk = WalkForward(*synthetic_market(days=1640, features=10), days=40, step=20)
    net = ReturnNet(10)
    optimizer = torch.optim.AdamW(net.parameters(), lr=3e-3)
    criterion = nn.HuberLoss()
    for n in range(2):
        for meter in run_pass(net, optimizer, criterion, walk):
            print(f"pass {n}", meter)


main()
