# gradwatch-corpus: kind=graph-chain
# holder: self.mu | self._buffers["mu"] | layer.parametrizations.weight[0].mu | net[0].parametrizations.weight[0].mu | net[2].parametrizations.weight[0].mu | net[4].parametrizations.weight[0].mu
# first-bad: 1
import time
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn.utils import parametrize


@dataclass
class Settings:
    epochs: int = 5
    batch_size: int = 50
    hidden: int = 48
    lr: float = 0.05
    momentum: float = 0.1
    seed: int = 21


class RunningCentre(nn.Module):
    """Takes from each output row a running mean of that row's weights."""

    def __init__(self, rows, momentum):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("mu", torch.zeros(rows, 1))

    def forward(self, weight):
        if self.training:
            self.mu = torch.lerp(self.mu, weight.mean(dim=1, keepdim=True), self.momentum)  # <- culprit
        return weight - self.mu


def centre_weights(net, momentum):
    for layer in net:
        if isinstance(layer, nn.Linear):
            parametrize.register_parametrization(
                layer, "weight", RunningCentre(layer.out_features, momentum)
            )
    return net


def rings(n, seed):
    g = torch.Generator().manual_seed(seed)
    label = torch.randint(3, (n,), generator=g)
    radius = 1.0 + label + 0.2 * torch.randn(n, generator=g)
    angle = 6.2832 * torch.rand(n, generator=g)
    return torch.stack([radius * angle.cos(), radius * angle.sin()], dim=1), label


def evaluate(net, x, y):
    net.eval()
    with torch.no_grad():
        acc = (net(x).argmax(dim=1) == y).float().mean().item()
    net.train()
    return acc


def run(cfg):
    torch.manual_seed(cfg.seed)
    x, y = rings(1000, seed=1)
    vx, vy = rings(400, seed=2)
    net = nn.Sequential(
        nn.Linear(2, cfg.hidden), nn.LeakyReLU(0.1), nn.Linear(cfg.hidden, cfg.hidden), nn.LeakyReLU(0.1),
        nn.Linear(cfg.hidden, 3),
    )
    centre_weights(net, cfg.momentum)
    optimizer = torch.optim.SGD(net.parameters(), lr=cfg.lr, momentum=0.9)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.05)
    for epoch in range(cfg.epochs):
        began = time.perf_counter()
        summed = 0.0
        for idx in torch.randperm(len(x)).split(cfg.batch_size):
            optimizer.zero_grad()
            loss = criterion(net(x[idx]), y[idx])
            loss.backward()
            optimizer.step()
            summed += loss.item() * len(idx)
        print(f"epoch {epoch} loss {summed / len(x):.4f} val {evaluate(net, vx, vy):.3f} "
              f"({time.perf_counter() - began:.2f}s)")


if __name__ == "__main__":
    run(Settings())
