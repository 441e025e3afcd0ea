# gradwatch-corpus: kind=none
"""Self-paced curriculum on a noisy-label regression-by-classification problem.

Per-sample loss memory decides who enters the next epoch; the batch losses of an epoch
are collected and summarised at its end.
"""
from dataclasses import dataclass, field
from typing import Dict, List

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class EpochRecord:
    losses: List[torch.Tensor] = field(default_factory=list)
    margins: List[torch.Tensor] = field(default_factory=list)

    def close(self) -> Dict[str, float]:
        out = {"loss": torch.stack(self.losses).mean().item(),
               "loss_std": torch.stack(self.losses).std().item(),
               "margin": torch.cat(self.margins).median().item()}
        self.losses.clear()
        self.margins.clear()
        return out


class SelfPaced:
    """Sample i is used while its smoothed loss is under the pace quantile."""

    def __init__(self, n, start=0.4, end=0.9, epochs=20, beta=0.5):
        self.mem = torch.zeros(n)
        self.seen = torch.zeros(n, dtype=torch.bool)
        self.start, self.end, self.epochs, self.beta = start, end, epochs, beta

    def observe(self, idx, losses):
        losses = losses.detach()
        old = self.mem[idx]
        self.mem[idx] = torch.where(self.seen[idx], self.beta * old + (1 - self.beta) * losses, losses)
        self.seen[idx] = True

    def select(self, epoch):
        if not self.seen.all():
            return torch.randperm(self.mem.numel())
        q = self.start + (self.end - self.start) * min(1.0, epoch / self.epochs)
        keep = (self.mem <= torch.quantile(self.mem, q)).nonzero().squeeze(1)
        return keep[torch.randperm(keep.numel())]


def data(n, d, n_cls, noise):
    w = torch.randn(d, n_cls)
    x = torch.randn(n, d)
    clean = (x @ w + 0.3 * torch.sin(3 * x) @ w).argmax(1)
    flip = torch.rand(n) < noise
    return x, torch.where(flip, torch.randint(0, n_cls, (n,)), clean), clean, flip


def margin(logits, y):
    true = logits.gather(1, y[:, None]).squeeze(1)
    other = logits.masked_fill(F.one_hot(y, logits.size(1)).bool(), float("-inf")).amax(1)
    return true - other


def train_epoch(net, opt, pace, x, y, epoch, record, batch=24):
    net.train()
    for idx in pace.select(epoch).split(batch):
        logits = net(x[idx])
        losses = F.cross_entropy(logits, y[idx], reduction="none")
        loss = losses.mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        pace.observe(idx, losses)
        record.losses.append(loss)
        record.margins.append(margin(logits, y[idx]))
    return record.close()


def refresh_unselected(net, pace, x, y):
    net.eval()
    with torch.no_grad():
        losses = F.cross_entropy(net(x), y, reduction="none")
    pace.observe(torch.arange(len(x)), losses)


def main():
    torch.manual_seed(99)
    torch.set_num_threads(1)
    n, epochs = 480, 32
    x, y, clean, flip = data(n, 10, 4, noise=0.3)
    net = nn.Sequential(nn.Linear(10, 48), nn.ReLU(), nn.Dropout(0.1), nn.Linear(48, 4))
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    pace, record = SelfPaced(n, epochs=epochs), EpochRecord()
    curves = []
    for epoch in range(epochs):
        curves.append(train_epoch(net, opt, pace, x, y, epoch, record))
        refresh_unselected(net, pace, x, y)
        if (epoch + 1) % 8 == 0:
            sel = pace.select(epoch)
            acc = (net(x).argmax(1) == clean).float().mean().item()
            print(f"epoch {epoch + 1:2d} " + " ".join(f"{k} {v:.3f}" for k, v in curves[-1].items())
                  + f" selected {len(sel)} noisy among them {flip[sel].float().mean():.3f} clean acc {acc:.3f}")


if __name__ == "__main__":
    main()
