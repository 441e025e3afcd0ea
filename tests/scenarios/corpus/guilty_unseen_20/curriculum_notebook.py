# gradwatch-corpus: kind=inplace-modified
# holder: COMPETENCE
# first-bad: 12
"""Exported from curriculum_v3.ipynb: arithmetic-sequence completion, bucketed by difficulty,
bucket weights follow how well each bucket is doing."""

# %% imports and settings
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

random.seed(31)
torch.manual_seed(31)

N_BUCKETS = 5
SEQ = 8
MOD = 23
BATCH = 64
STEPS = 300
UPDATE_EVERY = 12

# %% curriculum state
COMPETENCE = torch.tensor([1.0, 0.6, 0.3, 0.1, 0.05])
BUCKET_EMA = torch.full((N_BUCKETS,), 3.0)
LOG = []


# %% data
def make_sequence(bucket):
    a = random.randrange(MOD)
    d = random.randrange(1, 2 + 2 * bucket)
    dd = random.randrange(0, bucket + 1)
    seq, x, step = [], a, d
    for _ in range(SEQ + 1):
        seq.append(x % MOD)
        x += step
        step += dd
    return seq


def make_batch():
    buckets = random.choices(range(N_BUCKETS), k=BATCH)
    seqs = torch.tensor([make_sequence(b) for b in buckets])
    return seqs[:, :-1], seqs[:, -1], torch.tensor(buckets)


# %% model
class Completer(nn.Module):
    def __init__(self, width=40):
        super().__init__()
        self.tok = nn.Embedding(MOD, width)
        self.gru = nn.GRU(width, width, batch_first=True)
        self.out = nn.Linear(width, MOD)

    def forward(self, x):
        h, _ = self.gru(self.tok(x))
        return self.out(h[:, -1])


model = Completer()
optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)


# %% losses
def loss_by_bucket(logits, target, buckets):
    ce = F.cross_entropy(logits, target, reduction="none")
    count = torch.zeros(N_BUCKETS).index_add_(0, buckets, torch.ones(len(buckets)))
    total = torch.zeros(N_BUCKETS).index_add(0, buckets, ce)
    return total / count.clamp_min(1.0)


def curriculum_loss(per_bucket):
    return (per_bucket * COMPETENCE).sum() / COMPETENCE.sum().item()


# %% schedule
def note_progress(step, per_bucket):
    """Track each bucket; now and then shift weight to the next harder bucket."""
    BUCKET_EMA.lerp_(per_bucket.detach(), 0.1)
    if step and step % UPDATE_EVERY == 0:
        mastered = torch.sigmoid(4.0 * (1.5 - BUCKET_EMA))
        unlocked = torch.cat([torch.ones(1), mastered[:-1]])
        COMPETENCE.mul_(0.8).add_(0.2 * unlocked)  # <- culprit
        LOG.append((step, [round(c, 3) for c in COMPETENCE.tolist()]))


# %% evaluation
@torch.no_grad()
def accuracy(n_batches=2):
    model.eval()
    hit = torch.zeros(N_BUCKETS)
    seen = torch.zeros(N_BUCKETS)
    for _ in range(n_batches):
        x, y, b = make_batch()
        ok = model(x).argmax(-1).eq(y).float()
        hit.index_add_(0, b, ok)
        seen.index_add_(0, b, torch.ones(len(b)))
    model.train()
    return (hit / seen.clamp_min(1)).tolist()


# %% train
def train_step(step):
    x, y, buckets = make_batch()
    per_bucket = loss_by_bucket(model(x), y, buckets)
    loss = curriculum_loss(per_bucket)
    note_progress(step, per_bucket)  # <- culprit
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


for step in range(STEPS):
    value = train_step(step)
    if step % 10 == 0:
        print(step, round(value, 4), [round(a, 2) for a in accuracy()], flush=True)

# %% summary
for when, weights in LOG[-3:]:
    print(when, weights)
