# gradwatch-corpus: kind=graph-held
# holder: ring.records | handler.records | self.records | record.args | ring.records[i].args | h.records
# first-bad: 1
# notice: 8
# =====================================================================
#  Playground Series - "Mushroom edibility"  |  PyTorch baseline, 5-fold
#  logging keeps my notebook output clean, please upvote if useful :)
# =====================================================================
import logging
import math

import torch
from torch import nn

SEED, FOLDS, EPOCHS, BS = 2024, 3, 4, 32
torch.set_num_threads(1)
torch.manual_seed(SEED)


class SummaryHandler(logging.Handler):
    """Nothing on the screen during the fold; a digest after it."""

    def __init__(self, level=logging.DEBUG):
        super().__init__(level)
        self.records = []

    def emit(self, record):
        self.records.append(record)  # <- culprit

    def digest(self, every=60):
        msgs = [r.getMessage() for r in self.records if r.levelno == logging.DEBUG]
        for m in msgs[::every]:
            print("   ", m)
        warned = sum(r.levelno >= logging.WARNING for r in self.records)
        print(f"    ({len(msgs)} steps, {warned} warnings so far)")


log = logging.getLogger("mushroom")
log.setLevel(logging.DEBUG)
log.propagate = False
ring = SummaryHandler()
log.addHandler(ring)


def make_data(n=720, d=10):
    cats = torch.randint(0, 6, (n, 4))
    nums = torch.randn(n, d - 4)
    logit = (cats[:, 0] - 2.5) * 0.8 + nums[:, 0] * nums[:, 1] - (cats[:, 2] == 3).float() * 2
    return cats, nums, (logit + 0.3 * torch.randn(n) > 0).float()


class TabNet(nn.Module):
    def __init__(self, n_num):
        super().__init__()
        self.emb = nn.ModuleList([nn.Embedding(6, 3) for _ in range(4)])
        self.body = nn.Sequential(
            nn.Linear(12 + n_num, 32), nn.SiLU(), nn.Dropout(0.1), nn.Linear(32, 1))

    def forward(self, c, x):
        e = torch.cat([m(c[:, i]) for i, m in enumerate(self.emb)], 1)
        return self.body(torch.cat([e, x], 1)).squeeze(1)


def focal(logit, y, gamma=1.5):
    p = torch.sigmoid(logit)
    pt = torch.where(y > 0, p, 1 - p).clamp(1e-5, 1)
    return (-(1 - pt) ** gamma * pt.log()).mean()


cats, nums, y = make_data()
fold_of = torch.arange(len(y)) % FOLDS
oof = torch.zeros(len(y))

for fold in range(FOLDS):
    tr, va = (fold_of != fold).nonzero().squeeze(1), (fold_of == fold).nonzero().squeeze(1)
    model = TabNet(nums.shape[1])
    opt = torch.optim.AdamW(model.parameters(), lr=4e-3)
    for epoch in range(EPOCHS):
        model.train()
        perm = tr[torch.randperm(len(tr))]
        for i, idx in enumerate(perm.split(BS)):
            loss = focal(model(cats[idx], nums[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            gn = nn.utils.clip_grad_norm_(model.parameters(), 2.0)
            opt.step()
            log.debug("fold %d ep %d it %2d  loss %.4f  |g| %.3f", fold, epoch, i, loss, gn)  # <- culprit
            if not math.isfinite(gn) or gn > 5:
                log.warning("large gradient %.2f", gn.item())
    model.eval()
    with torch.no_grad():
        oof[va] = torch.sigmoid(model(cats[va], nums[va]))
    acc = ((oof[va] > 0.5) == (y[va] > 0.5)).float().mean()
    print(f"fold {fold}: accuracy {acc:.3f}")
    ring.digest()

print("OOF accuracy", ((oof > 0.5) == (y > 0.5)).float().mean().item())
