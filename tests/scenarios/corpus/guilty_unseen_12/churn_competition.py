# gradwatch-corpus: kind=graph-held
# holder: stage2_probs
# first-bad: 61
"""Our entry for the telco churn competition (place 214). Stage 1 trains the head on labelled rows, stage 2 goes on
with pseudo labels. Converted from the notebook, sorry for the copy-paste."""
import math
import random

import torch
import torch.nn as nn

SEED = 2024
random.seed(SEED)
torch.manual_seed(SEED)
torch.set_num_threads(1)

# ---- cell 2: config
class CFG:
    n_train = 4096
    n_test = 2048
    n_feat = 40
    bs = 128
    stage1_steps = 60
    stage2_steps = 260
    lr1 = 3e-3
    lr2 = 1e-3
    thr = 0.8
    log_every = 60


# ---- cell 3: data
w_true = torch.randn(CFG.n_feat) * (torch.rand(CFG.n_feat) < 0.4)
X = torch.randn(CFG.n_train, CFG.n_feat)
y = (torch.sigmoid(X @ w_true + 0.5 * X[:, 0] * X[:, 1]) > torch.rand(CFG.n_train)).float()
X_test = torch.randn(CFG.n_test, CFG.n_feat) + 0.1
y_test_secret = (torch.sigmoid(X_test @ w_true + 0.5 * X_test[:, 0] * X_test[:, 1]) > torch.rand(CFG.n_test)).float()


# ---- cell 4: model
class ResBlock(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.bn = nn.BatchNorm1d(d)
        self.fc = nn.Linear(d, d)

    def forward(self, x):
        return x + torch.relu(self.fc(self.bn(x)))


model = nn.Sequential(nn.Linear(CFG.n_feat, 64), ResBlock(64), ResBlock(64), nn.Dropout(0.1), nn.Linear(64, 1))
loss_fn = nn.BCEWithLogitsLoss()


def smooth(t, eps=0.02):
    return t * (1 - eps) + 0.5 * eps


def auc(scores, labels):
    order = torch.argsort(scores)
    ranks = torch.empty_like(order, dtype=torch.float)
    ranks[order] = torch.arange(1, len(scores) + 1, dtype=torch.float)
    pos = labels > 0.5
    n1, n0 = pos.sum().item(), (~pos).sum().item()
    return (ranks[pos].sum().item() - n1 * (n1 + 1) / 2) / max(1, n1 * n0)


# ---- cell 5: stage 1, labelled rows only
opt = torch.optim.AdamW(model.parameters(), lr=CFG.lr1)
stage1_probs, stage1_targets = [], []
model.train()
for step in range(CFG.stage1_steps):
    idx = torch.randint(0, CFG.n_train, (CFG.bs,))
    xb, yb = X[idx], y[idx]
    opt.zero_grad()
    logits = model(xb).squeeze(1)
    loss = loss_fn(logits, smooth(yb))
    loss.backward()
    opt.step()
    stage1_probs.extend(torch.sigmoid(logits).tolist())
    stage1_targets.extend(yb.tolist())
print(f"stage 1 done, train AUC {auc(torch.tensor(stage1_probs), torch.tensor(stage1_targets)):.4f}")


# ---- cell 6: pseudo labels
def make_pseudo():
    model.eval()
    with torch.no_grad():
        p = torch.sigmoid(model(X_test).squeeze(1))
    model.train()
    keep = (p > CFG.thr) | (p < 1 - CFG.thr)
    return X_test[keep], (p[keep] > 0.5).float()


# ---- cell 7: stage 2, labelled + pseudo
X_ps, y_ps = make_pseudo()
print("pseudo rows:", len(X_ps))
opt = torch.optim.AdamW(model.parameters(), lr=CFG.lr2)
stage2_probs, stage2_targets = [], []
for step in range(CFG.stage2_steps):
    for g in opt.param_groups:
        g["lr"] = CFG.lr2 * 0.5 * (1 + math.cos(math.pi * step / CFG.stage2_steps))
    idx = torch.randint(0, CFG.n_train, (CFG.bs,))
    jdx = torch.randint(0, len(X_ps), (CFG.bs // 2,))
    xb = torch.cat([X[idx], X_ps[jdx]])
    yb = torch.cat([y[idx], y_ps[jdx]])
    opt.zero_grad()
    logits = model(xb).squeeze(1)
    loss = loss_fn(logits, smooth(yb))
    loss.backward()
    opt.step()
    stage2_probs.append(torch.sigmoid(logits[:CFG.bs]))  # <- culprit
    stage2_targets.extend(y[idx].tolist())
    if (step + 1) % CFG.log_every == 0:
        recent = torch.cat(stage2_probs[-20:]).detach()
        t = torch.tensor(stage2_targets[-20 * CFG.bs:])
        print(f"step {step + 1}: loss {loss.item():.4f}  AUC(last 20 batches) {auc(recent, t):.4f}")

# ---- cell 8: submission
model.eval()
with torch.no_grad():
    sub = torch.sigmoid(model(X_test).squeeze(1))
print(f"stage 2 train AUC {auc(torch.cat(stage2_probs).detach(), torch.tensor(stage2_targets)):.4f}")
print(f"private LB would be {auc(sub, y_test_secret):.4f}")
