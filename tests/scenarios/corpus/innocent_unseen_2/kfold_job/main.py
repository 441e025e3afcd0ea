# gradwatch-corpus: kind=none
# Kaggle-like script. Losses of an epoch are gathered as numbers, averaged, and the list begun anew.
import os, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import torch, torch.nn as nn
from sklearn_like import KFold, Scaler

torch.manual_seed(17)
X = torch.randn(600, 7) * torch.arange(1, 8) + 3
y = (X[:, 0] - 0.2 * X[:, 4] + 0.05 * X[:, 6] ** 2).unsqueeze(1)

cv = []
for fold, (tr, va) in enumerate(KFold(3).split(len(X))):
    sc = Scaler().fit(X[tr])
    ys = Scaler().fit(y[tr])
    model = nn.Sequential(nn.Linear(7, 32), nn.ReLU(), nn.Linear(32, 1))
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(8):
        epoch_losses, outputs = [], []
        for b in tr[torch.randperm(len(tr))].split(64):
            out = model(sc(X[b]))
            loss = nn.functional.mse_loss(out, ys(y[b]))
            opt.zero_grad()
            loss.backward()
            opt.step()
            epoch_losses.append(loss.item())
            outputs.append(out.detach())
        r = torch.cat(outputs).std().item()
        model.eval()
        with torch.inference_mode():
            v = nn.functional.mse_loss(model(sc(X[va])), ys(y[va])).item()
        model.train()
    cv.append(v)
    print("fold", fold, "train %.4f valid %.4f std %.3f" % (sum(epoch_losses) / len(epoch_losses), v, r))
print("cv", sum(cv) / 3)
