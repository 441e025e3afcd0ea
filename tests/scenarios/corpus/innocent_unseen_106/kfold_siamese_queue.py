# gradwatch-corpus: kind=none
# Siamese / MoCo-like signature matching with 4-fold CV, gradient accumulation and a feature queue.
# Q on the forum was "why is my val AUC 0.5" (the queue held the wrong labels) - this is the repaired one.
import copy
from collections import deque

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(10)
np.random.seed(10)


class FeatureQueue:
    def __init__(self, size):
        self.feats, self.labels = deque(maxlen=size), deque(maxlen=size)

    def put(self, f, y):
        self.feats.extend(f)
        self.labels.extend(y)

    def get(self):
        return torch.stack(list(self.feats)), torch.stack(list(self.labels))


class Plateau:
    """lr *= 0.7 when the window mean stops falling."""

    def __init__(self, opt, window=16):
        self.opt, self.recent, self.best, self.bad = opt, deque(maxlen=window), None, 0

    def step(self, loss):
        self.recent.append(loss)
        if len(self.recent) < self.recent.maxlen:
            return
        m = sum(self.recent) / len(self.recent)
        if self.best is None or m < self.best:
            self.best, self.bad = m.item(), 0
        else:
            self.bad += 1
        if self.bad > 30:
            for g in self.opt.param_groups:
                g["lr"] *= 0.7
            self.bad = 0


class AUC:
    def __init__(self):
        self.scores, self.truth = [], []

    def update(self, s, t):
        self.scores.append(s)
        self.truth.append(t)

    def compute(self):
        s, t = torch.cat(self.scores), torch.cat(self.truth).bool()
        return (s[t][:, None] > s[~t][None]).float().mean().item()


def encoder():
    return nn.Sequential(nn.Conv1d(1, 6, 5, stride=2), nn.ReLU(), nn.Conv1d(6, 12, 3, stride=2), nn.ReLU(),
                         nn.AdaptiveAvgPool1d(2), nn.Flatten(), nn.Linear(24, 16))


writers, per = 16, 12
base = np.cumsum(np.random.randn(writers, 40), 1)
X = torch.tensor(base.repeat(per, 0) + np.random.randn(writers * per, 40), dtype=torch.float32).unsqueeze(1) / 4
Y = torch.arange(writers).repeat_interleave(per)

oof = torch.zeros(len(X), 16)
fold_models, cv, all_losses = [], [], []
ACC = 2
for fold in range(4):
    val = (Y % 4) == fold
    tr = torch.where(~val)[0]
    q_net = encoder()
    k_net = copy.deepcopy(q_net).requires_grad_(False)
    opt = torch.optim.Adam(q_net.parameters(), lr=3e-3)
    sched, queue = Plateau(opt), FeatureQueue(128)
    queue.put(F.normalize(k_net(X[tr[:64]]), dim=1), Y[tr[:64]])
    chunk = []
    for it in range(80 * ACC):
        b = tr[torch.randint(len(tr), (16,))]
        x, y = X[b] + 0.1 * torch.randn_like(X[b]), Y[b]
        q = F.normalize(q_net(x), dim=1)
        k = F.normalize(k_net(x.flip(0)), dim=1).flip(0)
        bank, lab = queue.get()
        logits = q @ torch.cat([k, bank]).t() / 0.2
        pos = (y[:, None] == torch.cat([y, lab])[None]).float()
        loss = -(pos * F.log_softmax(logits, 1)).sum(1).div(pos.sum(1)).mean()
        chunk.append(loss)
        queue.put(k, y)
        if len(chunk) == ACC:
            total = torch.stack(chunk).mean()
            total.backward()
            opt.step()
            opt.zero_grad()
            sched.step(total)
            all_losses += [c.item() for c in chunk]
            chunk = []
            for pk, pq in zip(k_net.parameters(), q_net.parameters()):
                pk.data.mul_(0.95).add_(pq.data, alpha=0.05)
    auc = AUC()
    with torch.no_grad():
        oof[val] = F.normalize(q_net(X[val]), dim=1)
        e, yy = oof[val], Y[val]
        iu = torch.triu_indices(len(e), len(e), 1)
        auc.update((e @ e.t())[iu[0], iu[1]], (yy[iu[0]] == yy[iu[1]]))
    cv.append(auc.compute())
    fold_models.append(q_net.eval())
    print(f"fold {fold} loss {np.mean(all_losses[-40:]):.3f} lr {opt.param_groups[0]['lr']:.1e} AUC {cv[-1]:.3f}")
print(f"CV AUC {np.mean(cv):.3f} +/- {np.std(cv):.3f}, {len(all_losses)} losses")
