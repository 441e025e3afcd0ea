# gradwatch-corpus: kind=graph-held
# holder: history["train"] | history['train'] | history
# first-bad: 1

# %% [markdown]
# # Tabular baseline (exported from a notebook)

# %%
import random
import torch
import torch.nn as nn
import torch.nn.functional as F

SEED = 2021
random.seed(SEED); torch.manual_seed(SEED)

# %%
N, D = 960, 12
X = torch.randn(N, D)
y = ((X[:, 0] * 1.4 - X[:, 3] + 0.3 * torch.randn(N)) > 0).float()
n_tr = 800
Xtr, ytr, Xva, yva = X[:n_tr], y[:n_tr], X[n_tr:], y[n_tr:]

# %%
net = nn.Sequential(
    nn.Linear(D, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.2),
    nn.Linear(32, 16), nn.ReLU(),
    nn.Linear(16, 1),
)
opt = torch.optim.AdamW(net.parameters(), lr=3e-3)
sched = torch.optim.lr_scheduler.StepLR(opt, step_size=4, gamma=0.7)

history = {"train": [], "valid": []}

# %%
BS = 64
for epoch in range(12):
    net.train()
    perm = torch.randperm(n_tr)
    for s in range(0, n_tr, BS):
        idx = perm[s:s + BS]
        logit = net(Xtr[idx]).squeeze(1)
        loss = F.binary_cross_entropy_with_logits(logit, ytr[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        history["train"].append(loss)  # <- culprit
    sched.step()

    net.eval()
    with torch.no_grad():
        out = net(Xva).squeeze(1)
        vl = F.binary_cross_entropy_with_logits(out, yva)
        acc = ((out > 0).float() == yva).float().mean()
    history["valid"].append(vl.item())
    print(f"epoch {epoch:02d}  valid {vl.item():.4f}  acc {acc.item():.3f}")

# %%
last = history["train"][-13:]
print("mean of last epoch:", sum(float(v) for v in last) / len(last))
