# gradwatch-corpus: kind=none
# about: caught exceptions (last one kept with its frames), halved attempts that accumulate, skipped batches, anomaly mode at first
"""Set transformer with a batch that is sometimes too large for the budget: the attempt is given up and done again in halves."""
import logging
import sys
import traceback

import torch
from torch import nn

logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(levelname).1s %(message)s")
log = logging.getLogger("bumpy")
torch.manual_seed(15)
CELL_BUDGET = 64 * 20 * 20


class TooBig(RuntimeError):
    pass


class Attend(nn.Module):
    def __init__(self, d=24):
        super().__init__()
        self.inp, self.qkv, self.out = nn.Linear(3, d), nn.Linear(d, 3 * d), nn.Linear(d, 1)

    def forward(self, pts):
        h = torch.relu(self.inp(pts))
        q, k, v = self.qkv(h).chunk(3, -1)
        if len(pts) * pts.shape[1] ** 2 > CELL_BUDGET:
            raise TooBig(f"{len(pts)} sets of {pts.shape[1]}")
        h = h + (q @ k.transpose(1, 2) / 5).softmax(-1) @ v
        out = self.out(h.amax(1)).squeeze(1)
        if not torch.isfinite(out).all():
            raise FloatingPointError("non-finite output")
        return out


def clouds():
    g = torch.Generator().manual_seed(6)
    while True:
        m = int(torch.randint(6, 27, (1,), generator=g))
        pts = torch.randn(64, m, 3, generator=g)
        if torch.rand((), generator=g) < .02:
            pts[3, 2] = float("nan")
        yield pts, torch.pdist(pts.mean(0)).max() + pts.norm(dim=2).amax(1)


class Trainer:
    def __init__(self):
        self.net = Attend()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=3e-3)
        self.last_trouble = None
        self.halved = self.skipped = 0

    def attempt(self, pts, y, weight=1.):
        try:
            loss = (self.net(pts) - y).square().mean() * weight
            loss.backward()
            return loss.item()
        except TooBig as e:
            self.last_trouble = e
            self.halved += 1
            m = len(pts) // 2
            return self.attempt(pts[:m], y[:m], weight / 2) + self.attempt(pts[m:], y[m:], weight / 2)

    def one(self, pts, y):
        self.opt.zero_grad()
        try:
            value = self.attempt(pts, y)
        except FloatingPointError as e:
            self.last_trouble = e
            self.skipped += 1
            return None
        self.opt.step()
        return value


tr = Trainer()
mean = None
for i, (pts, y) in zip(range(450), clouds()):
    with torch.autograd.set_detect_anomaly(i < 60, check_nan=True):
        v = tr.one(pts, y)
    if v is not None:
        mean = v if mean is None else .97 * mean + .03 * v
    if i % 50 == 49:
        log.info("%d loss %.4f halved %d skipped %d", i + 1, mean, tr.halved, tr.skipped)
if tr.last_trouble:
    log.info("last trouble: %s", traceback.format_exception_only(tr.last_trouble)[-1].strip())
