# gradwatch-corpus: kind=none
"""Multi-label tagging with metric objects (python -m eval_metrics)."""
import torch
from torch import nn

from .metrics import F1, MeanMeter, MetricDict


def batch(n=32):
    x = torch.randn(n, 12)
    return x, (x[:, :5] + 0.3 * torch.randn(n, 5) > 0).float()


@torch.no_grad()
def evaluate(net, metrics):
    net.eval()
    metrics.reset()
    for _ in range(4):
        x, y = batch()
        out = net(x)
        metrics["loss"].update(nn.functional.binary_cross_entropy_with_logits(out, y))
        metrics["f1"].update(out > 0, y)
    net.train()
    return metrics.compute()


def main():
    torch.manual_seed(21)
    net = nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 5))
    opt = torch.optim.Adam(net.parameters(), 3e-3)
    train_m, val_m = MetricDict(loss=MeanMeter(), f1=F1()), MetricDict(loss=MeanMeter(), f1=F1())
    for it in range(150):
        x, y = batch()
        out = net(x)
        loss = nn.functional.binary_cross_entropy_with_logits(out, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        train_m["loss"].update(loss)
        train_m["f1"].update(out > 0, y)
        if it % 30 == 29:
            print(it + 1, train_m.compute(), evaluate(net, val_m))
            train_m.reset()


main()
