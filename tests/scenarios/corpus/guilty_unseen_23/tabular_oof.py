# gradwatch-corpus: kind=graph-held
# holder: oof
# first-bad: 1
# %% [code]
import gc
import os
import random
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class CFG:
    seed = 2023
    n_folds = 4
    epochs = 3
    bs = 256
    lr = 2e-3
    n_feats = 60
    hidden = 384


def seed_everything(seed):
    random.seed(seed)
    os.environ["PYTHONHASHSEED"] = str(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


seed_everything(CFG.seed)

# %% [code]
N = 6400
X = np.random.randn(N, CFG.n_feats).astype(np.float32)
coef = np.random.randn(CFG.n_feats).astype(np.float32)
y = ((X @ coef + 2 * np.sin(X[:, 0] * 3) + np.random.randn(N)) > 0).astype(np.float32)
X_test = np.random.randn(1500, CFG.n_feats).astype(np.float32)
fold_id = np.random.permutation(N) % CFG.n_folds


# %% [code]
class TabNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.BatchNorm1d(CFG.n_feats), nn.Dropout(0.1),
            nn.Linear(CFG.n_feats, CFG.hidden), nn.BatchNorm1d(CFG.hidden), nn.PReLU(), nn.Dropout(0.3),
            nn.Linear(CFG.hidden, CFG.hidden), nn.BatchNorm1d(CFG.hidden), nn.PReLU(), nn.Dropout(0.3),
            nn.Linear(CFG.hidden, 1))

    def forward(self, x):
        return self.net(x).squeeze(1)


class AverageMeter:
    def __init__(self):
        self.sum = self.count = 0

    def update(self, v, n):
        self.sum += v * n
        self.count += n

    @property
    def avg(self):
        return self.sum / max(self.count, 1)


def logloss(p, t):
    p = np.clip(p, 1e-6, 1 - 1e-6)
    return -(t * np.log(p) + (1 - t) * np.log(1 - p)).mean()


# %% [code]
oof = torch.zeros(CFG.n_folds, N)
valid_pred = np.zeros(N)
test_pred = np.zeros(len(X_test))

for fold in range(CFG.n_folds):
    trn = np.where(fold_id != fold)[0]
    val = np.where(fold_id == fold)[0]
    ds = TensorDataset(torch.tensor(trn), torch.tensor(X[trn]), torch.tensor(y[trn]))
    dl = DataLoader(ds, batch_size=CFG.bs, shuffle=True, drop_last=True)
    model = TabNN()
    optimizer = torch.optim.AdamW(model.parameters(), lr=CFG.lr, weight_decay=1e-2)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, max_lr=CFG.lr, total_steps=CFG.epochs * len(dl))
    criterion = nn.BCEWithLogitsLoss()
    best = 1e9

    for epoch in range(CFG.epochs):
        meter = AverageMeter()
        model.train()
        for idx, xb, yb in dl:
            optimizer.zero_grad()
            logits = model(xb)
            loss = criterion(logits, yb)
            loss.backward()
            optimizer.step()
            scheduler.step()
            oof[fold, idx] = logits.sigmoid()  # <- culprit
            meter.update(loss.item(), len(idx))

        model.eval()
        with torch.no_grad():
            p = model(torch.tensor(X[val])).sigmoid().numpy()
        score = logloss(p, y[val])
        if score < best:
            best = score
            valid_pred[val] = p
            with torch.no_grad():
                fold_test = model(torch.tensor(X_test)).sigmoid().numpy()
        print(f"fold {fold} epoch {epoch} train {meter.avg:.4f} valid {score:.4f}")
    test_pred += fold_test / CFG.n_folds
    del model, optimizer, ds, dl
    gc.collect()

# %% [code]
train_mean = oof.detach().numpy().sum(0) / (CFG.n_folds - 1)
print("CV", logloss(valid_pred, y), "train fit", logloss(train_mean, y))
print("test mean", test_pred.mean())
