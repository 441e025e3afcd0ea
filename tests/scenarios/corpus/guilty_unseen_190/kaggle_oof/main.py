# gradwatch-corpus: kind=graph-held
# holder: train_preds
# first-bad: 1
import random

import torch
import torch.nn as nn

from features import kfold, load_train
from metrics import auc

SEED = 1337
N_FOLDS = 3
BATCH_SIZE = 50
EPOCHS = 30


def seed_everything(seed):
    random.seed(seed)
    torch.manual_seed(seed)


class TabNetLite(nn.Module):
    def __init__(self):
        super().__init__()
        self.embs = nn.ModuleList([nn.Embedding(12, 4) for _ in range(3)])
        self.bn = nn.BatchNorm1d(5)
        self.fc1 = nn.Linear(17, 32)
        self.drop = nn.Dropout(0.1)
        self.fc2 = nn.Linear(32, 1)

    def forward(self, cat, num):
        e = torch.cat([emb(cat[:, i]) for i, emb in enumerate(self.embs)], 1)
        h = torch.cat([e, self.bn(num)], 1)
        return self.fc2(self.drop(torch.relu(self.fc1(h)))).squeeze(1)


seed_everything(SEED)
cat, num, target = load_train()
oof = torch.zeros(len(target))
loss_fn = nn.BCEWithLogitsLoss()

for fold, tr_idx, va_idx in kfold(len(target), N_FOLDS, SEED):
    model = TabNetLite()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    train_preds, train_targets = [], []
    for epoch in range(EPOCHS):
        model.train()
        avg_loss = 0.
        shuffled = tr_idx[torch.randperm(len(tr_idx))]
        for bi in shuffled.split(BATCH_SIZE):
            y_pred = model(cat[bi], num[bi])
            loss = loss_fn(y_pred, target[bi])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            avg_loss += loss.item() * len(bi) / len(tr_idx)
            train_preds.append(torch.sigmoid(y_pred))  # <- culprit
            train_targets.append(target[bi])
        if epoch % 10 == 9:
            k = len(train_preds) // (epoch + 1)
            p = torch.cat(train_preds[-k:]).detach()
            t = torch.cat(train_targets[-k:])
            print(f"fold {fold} epoch {epoch + 1} loss {avg_loss:.4f} train auc {auc(t, p):.4f}")

    model.eval()
    with torch.no_grad():
        oof[va_idx] = torch.sigmoid(model(cat[va_idx], num[va_idx]))
    print(f"fold {fold} valid auc {auc(target[va_idx], oof[va_idx]):.4f}")

print("CV auc", auc(target, oof))
