# gradwatch-corpus: kind=memory-climb
# holder: self.chunks | pool.chunks | PseudoPool.chunks | self.pool.chunks
# first-bad: 1
"""Card fraud, 3 folds, pseudo-labelled test rows mixed in after a warm-up; the blend of the folds' EMA weights is
what got submitted."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

SEED = 7
N_TRAIN, N_TEST, N_FEAT = 4000, 6000, 256
FOLDS, STEPS, BS = 3, 80, 128


def seed_everything(seed=SEED):
    random.seed(seed)
    torch.manual_seed(seed)


def load():
    """Stand-in for the parquet files: V1..V256, 8% fraud."""
    w = torch.randn(N_FEAT) / N_FEAT ** 0.5
    x = torch.randn(N_TRAIN + N_TEST, N_FEAT)
    score = x @ w + 0.4 * x[:, 0] * x[:, 1]
    y = (score > score.quantile(0.92)).float()
    return x[:N_TRAIN], y[:N_TRAIN], x[N_TRAIN:]


class FraudMLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(N_FEAT, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Dropout(0.1),
                                 nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, x):
        return self.net(x).squeeze(1)


class PseudoPool:
    """Confident test rows with the model's own hard label."""

    def __init__(self, keep=256, warm=0):
        self.keep, self.warm = keep, warm
        self.chunks = []

    @torch.no_grad()
    def harvest(self, model, test, step):
        if step < self.warm:
            return
        rows = test[torch.randint(len(test), (2 * self.keep,))]
        model.eval()
        prob = torch.sigmoid(model(rows))
        model.train()
        conf, order = (prob - 0.5).abs().sort(descending=True)
        best = order[:self.keep]
        self.chunks.append((rows[best], (prob[best] > 0.5).float(), conf[:self.keep] * 2))  # <- culprit

    def sample(self, n):
        if not self.chunks:
            return None
        rows, label, conf = random.choice(self.chunks[-30:])
        pick = torch.randint(len(rows), (n,))
        return rows[pick], label[pick], conf[pick]


class ModelEma:
    def __init__(self, model, decay=0.97):
        self.decay = decay
        self.state = {k: v.detach().clone() for k, v in model.state_dict().items()}

    @torch.no_grad()
    def update(self, model):
        for k, v in model.state_dict().items():
            if v.dtype.is_floating_point:
                self.state[k].mul_(self.decay).add_(v, alpha=1 - self.decay)
            else:
                self.state[k].copy_(v)


def auc(score, y):
    rank = score.argsort().argsort().float() + 1
    pos = y.sum()
    return ((rank[y == 1].sum() - pos * (pos + 1) / 2) / (pos * (len(y) - pos))).item()


def train_fold(fold, x, y, test, idx, pool):
    model = FraudMLP()
    ema = ModelEma(model)
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    for step in range(STEPS):
        b = idx[torch.randint(len(idx), (BS,))]
        loss = F.binary_cross_entropy_with_logits(model(x[b]), y[b], pos_weight=torch.tensor(4.0))
        extra = pool.sample(BS // 2)
        if extra is not None:
            rows, label, conf = extra
            per_row = F.binary_cross_entropy_with_logits(model(rows), label, reduction="none")
            loss = loss + 0.3 * (conf * per_row).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        ema.update(model)
        pool.harvest(model, test, step)  # <- culprit
    model.load_state_dict(ema.state)
    print(f"fold {fold}: last loss {loss.item():.4f}")
    return model.eval()


def main():
    seed_everything()
    x, y, test = load()
    folds = torch.randperm(N_TRAIN).chunk(FOLDS)
    oof, sub = torch.zeros(N_TRAIN), torch.zeros(N_TEST)
    pool = PseudoPool()
    for f, valid in enumerate(folds):
        train_idx = torch.cat([p for i, p in enumerate(folds) if i != f])
        model = train_fold(f, x, y, test, train_idx, pool)
        with torch.no_grad():
            oof[valid] = torch.sigmoid(model(x[valid]))
            sub += torch.sigmoid(model(test)) / FOLDS
    print(f"CV AUC {auc(oof, y):.4f}, submission mean {sub.mean().item():.4f}")


if __name__ == "__main__":
    main()
