# gradwatch-corpus: kind=graph-held
# holder: cv_loss
# first-bad: 1
# notice: 8
import torch
torch.set_num_threads(1)
import torch.nn as nn

SEED = 2024
torch.manual_seed(SEED)

# ---- data -------------------------------------------------
N = 400
pclass = torch.randint(1, 4, (N,))
sex = torch.randint(0, 2, (N,))
age = 30 + 12 * torch.randn(N)
fare = torch.rand(N) * 80 / pclass
X = torch.stack([pclass.float(), sex.float(), age / 40, fare / 40], 1)
y = ((1.5 * sex - 0.6 * (pclass - 2) - 0.3 * (age / 40) + 0.4 * torch.randn(N)) > 0.5).float()

FOLDS, EPOCHS, BS = 5, 9, 32
fold_id = torch.randperm(N) % FOLDS

# ---- cv ---------------------------------------------------
cv_loss, seen = 0.0, 0
scores = []
for fold in range(FOLDS):
    tr, va = (fold_id != fold).nonzero().squeeze(1), (fold_id == fold).nonzero().squeeze(1)
    clf = nn.Sequential(nn.BatchNorm1d(4), nn.Linear(4, 16), nn.GELU(), nn.Dropout(0.1), nn.Linear(16, 1))
    opt = torch.optim.AdamW(clf.parameters(), lr=1e-2)
    bce = nn.BCEWithLogitsLoss()
    for epoch in range(EPOCHS):
        clf.train()
        for idx in tr[torch.randperm(len(tr))].split(BS):
            out = clf(X[idx]).squeeze(1)
            loss = bce(out, y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            cv_loss += loss * len(idx)  # <- culprit
            seen += len(idx)
    clf.eval()
    with torch.no_grad():
        acc = ((clf(X[va]).squeeze(1) > 0).float() == y[va]).float().mean().item()
    scores.append(acc)
    print(f"fold {fold} acc {acc:.3f} | mean train loss so far {float(cv_loss) / seen:.4f}")
print("CV:", sum(scores) / FOLDS)
