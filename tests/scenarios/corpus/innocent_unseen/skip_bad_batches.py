# gradwatch-corpus: kind=none
"""Exceptions in the forward pass are caught; only their text is kept, the batch is skipped."""
import logging

import torch
from torch import nn

log = logging.getLogger("train")


class BadBatch(Exception):
    pass


class Guarded(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x):
        out = self.net(x)
        if not torch.isfinite(out).all():
            raise BadBatch(f"{int((~torch.isfinite(out)).sum())} values not finite")
        return out


def batches(n):
    g = torch.Generator().manual_seed(5)
    for i in range(n):
        x = torch.randn(64, 16, generator=g)
        if i % 9 == 5:
            x[i % 64] = float("inf")
        yield x, torch.nan_to_num(x, 0, 0, 0).mean(1, keepdim=True)


def main():
    torch.manual_seed(0)
    model = Guarded(nn.Sequential(nn.Linear(16, 160), nn.ReLU(), nn.Linear(160, 160), nn.ReLU(), nn.Linear(160, 1)))
    opt = torch.optim.SGD(model.parameters(), 0.01)
    failures, last_error = [], None
    for i, (x, y) in enumerate(batches(260)):
        opt.zero_grad()
        try:
            loss = nn.functional.mse_loss(model(x), y)
        except BadBatch as e:
            failures.append((i, str(e)))
            last_error = e
            log.debug("skipped %d: %s", i, e)
            continue
        loss.backward()
        opt.step()
    print(len(failures), "skipped; last:", last_error)


main()
