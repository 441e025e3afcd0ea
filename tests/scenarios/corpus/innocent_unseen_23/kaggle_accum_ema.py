# gradwatch-corpus: kind=none
# %% [code]
import copy
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

np.random.seed(77)
torch.manual_seed(77)

N_FOLDS, EPOCHS, BS, ACCUM, LR = 3, 3, 48, 2, 3e-3


# %% [code]
def make_signals(n=3600, length=96):
    y = np.random.randint(0, 5, n)
    t = np.linspace(0, 1, length)
    freq = 2 + 2 * y[:, None] + np.random.uniform(-0.7, 0.7, (n, 1))
    x = np.sin(2 * np.pi * freq * t + np.random.uniform(0, 6, (n, 1)))
    return (x + np.random.randn(n, length)).astype("float32"), y


X, Y = make_signals()
folds = np.random.permutation(len(X)) % N_FOLDS


class SignalDS(Dataset):
    def __init__(self, idx):
        self.idx = idx

    def __len__(self):
        return len(self.idx)

    def __getitem__(self, i):
        j = self.idx[i]
        return torch.from_numpy(X[j])[None], int(Y[j]), int(j)


# %% [code]
class Net(nn.Module):
    def __init__(self, ch=24):
        super().__init__()
        self.stem = nn.Conv1d(1, ch, 9, stride=2, padding=4)
        self.blocks = nn.ModuleList([nn.Conv1d(ch, ch, 5, padding=2) for _ in range(3)])
        self.bns = nn.ModuleList([nn.BatchNorm1d(ch) for _ in range(3)])
        self.fc = nn.Linear(2 * ch, 5)

    def forward(self, x):
        x = self.stem(x)
        for conv, bn in zip(self.blocks, self.bns):
            x = x + F.relu(bn(conv(x)))
        return self.fc(torch.cat([x.mean(-1), x.amax(-1)], 1))


class EMA:
    def __init__(self, model, decay=0.98):
        self.module = copy.deepcopy(model).eval()
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        for e, m in zip(self.module.state_dict().values(), model.state_dict().values()):
            if e.dtype.is_floating_point:
                e.mul_(self.decay).add_(m, alpha=1 - self.decay)
            else:
                e.copy_(m)


def mixup(x, y, alpha=0.4):
    lam = np.random.beta(alpha, alpha)
    perm = torch.randperm(len(x))
    return lam * x + (1 - lam) * x[perm], y, y[perm], lam


# %% [code]
oof = torch.zeros(len(X), 5)
train_seen = torch.zeros(N_FOLDS, len(X), 5)
log = []

for fold in range(N_FOLDS):
    trn, val = np.where(folds != fold)[0], np.where(folds == fold)[0]
    dl = DataLoader(SignalDS(trn), BS, shuffle=True, drop_last=True)
    vdl = DataLoader(SignalDS(val), 200)
    model = Net()
    ema = EMA(model)
    opt = torch.optim.AdamW(model.parameters(), LR)
    best_acc, best_state = -1, None
    for epoch in range(EPOCHS):
        model.train()
        epoch_loss = 0
        opt.zero_grad()
        for step, (xb, yb, idx) in enumerate(dl):
            xm, ya, yb2, lam = mixup(xb, yb)
            logits = model(xm)
            loss = lam * F.cross_entropy(logits, ya) + (1 - lam) * F.cross_entropy(logits, yb2)
            (loss / ACCUM).backward()
            epoch_loss += loss.detach()
            train_seen[fold, idx] = logits.detach().softmax(1)
            if (step + 1) % ACCUM == 0:
                opt.step()
                opt.zero_grad()
                ema.update(model)
        log.append((fold, epoch, epoch_loss / len(dl)))

        preds = []
        with torch.no_grad():
            for xb, yb, idx in vdl:
                preds.append(ema.module(xb).softmax(1))
        preds = torch.cat(preds)
        acc = (preds.argmax(1).numpy() == Y[val]).mean()
        if acc > best_acc:
            best_acc, best_state = acc, copy.deepcopy(ema.module.state_dict())
            oof[val] = preds
        print(f"fold {fold} epoch {epoch} loss {log[-1][2]:.4f} ema acc {acc:.4f}")
    torch.save(best_state, "/dev/null")

# %% [code]
print("OOF acc", (oof.argmax(1).numpy() == Y).mean())
print("mean loss by fold", [float(sum(l for f, _, l in log if f == k)) / EPOCHS for k in range(N_FOLDS)])
