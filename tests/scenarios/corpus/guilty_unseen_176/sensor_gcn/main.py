# gradwatch-corpus: kind=second-backward
# first-bad: 1
import logging
from itertools import islice

import torch
import torch.nn.functional as F

from data import traffic, windows
from graph import SensorNet

logging.basicConfig(level=logging.INFO, format="[%(name)s] %(message)s")
log = logging.getLogger("sensor-gcn")

NODES, LAGS, EPOCHS, BATCHES = 20, 12, 20, 25


def run_epoch(net: SensorNet, opt: torch.optim.Optimizer, stream, adj: torch.Tensor) -> float:
    total = 0.0
    for x, y in islice(stream, BATCHES):
        loss = F.smooth_l1_loss(net(x, adj), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    return total / BATCHES


def main() -> None:
    torch.manual_seed(0)
    series = traffic(NODES, 1500, seed=5)
    stream = windows(series, LAGS, 32, torch.Generator().manual_seed(1))
    net = SensorNet(NODES, LAGS)
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3)
    for epoch in range(EPOCHS):
        adj = net.adjacency()  # <- culprit
        loss = run_epoch(net, opt, stream, adj)
        log.info("epoch %d loss %.4f density %.3f", epoch, loss, (adj > 0.05).float().mean().item())


if __name__ == "__main__":
    main()
