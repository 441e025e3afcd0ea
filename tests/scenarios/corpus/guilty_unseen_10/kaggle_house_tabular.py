# gradwatch-corpus: kind=memory-climb
# holder: acts[name] | acts | acts["fc1"] | acts["fc2"]
# first-bad: 1
"""Exported from my Kaggle notebook 'tabular MLP, strong baseline' (synthetic stand-in for the competition csv).
Cell numbers as in the notebook."""
#!/usr/bin/env python
# coding: utf-8

# In[1]:
import math
import random
from collections import defaultdict

import torch
import torch.nn as nn
import torch.nn.functional as F


def seed_everything(seed=42):
    random.seed(seed)
    torch.manual_seed(seed)


seed_everything()

# In[2]: config
class CFG:
    n_rows = 4096
    n_num = 24
    cat_sizes = [12, 7, 30]
    emb = 6
    width = 256
    bs = 256
    epochs = 20
    max_lr = 2e-3


# In[3]: "read" the data
num = torch.randn(CFG.n_rows, CFG.n_num)
cat = torch.stack([torch.randint(0, c, (CFG.n_rows,)) for c in CFG.cat_sizes], 1)
effect = [torch.randn(c) * 0.4 for c in CFG.cat_sizes]
y = num[:, 0] * 0.8 + (num[:, 1] * num[:, 2]).tanh() + sum(e[cat[:, i]] for i, e in enumerate(effect))
y = y + 0.2 * torch.randn(CFG.n_rows)
n_valid = 512
tr, va = slice(n_valid, None), slice(0, n_valid)


# In[4]: model
class TabularMLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.embs = nn.ModuleList(nn.Embedding(c, CFG.emb) for c in CFG.cat_sizes)
        d = CFG.n_num + CFG.emb * len(CFG.cat_sizes)
        self.bn = nn.BatchNorm1d(CFG.n_num)
        self.fc1 = nn.Linear(d, CFG.width)
        self.fc2 = nn.Linear(CFG.width, CFG.width)
        self.out = nn.Linear(CFG.width, 1)
        self.drop = nn.Dropout(0.1)

    def forward(self, n, c):
        x = torch.cat([self.bn(n)] + [e(c[:, i]) for i, e in enumerate(self.embs)], 1)
        x = self.drop(F.silu(self.fc1(x)))
        x = self.drop(F.silu(self.fc2(x)))
        return self.out(x).squeeze(1)


# In[5]: watch the activations (dead units cost me 0.003 on the LB last time)
acts = defaultdict(list)


def watch(name):
    def hook(module, inp, out):
        if module.training:
            acts[name].append(out.detach())  # <- culprit
    return hook


def dead_report(acts):
    parts = []
    for name, outs in acts.items():
        dead = (outs[-1].amax(0) < 0).float().mean().item()
        parts.append(f"{name}: std {outs[-1].std().item():.2f} dead {dead:.1%}")
    return " | ".join(parts)


# In[6]: training
def run():
    model = TabularMLP()
    for name in ("fc1", "fc2"):
        getattr(model, name).register_forward_hook(watch(name))
    opt = torch.optim.AdamW(model.parameters(), lr=CFG.max_lr, weight_decay=1e-2)
    steps = CFG.epochs * math.ceil((CFG.n_rows - n_valid) / CFG.bs)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, CFG.max_lr, total_steps=steps)
    best = float("inf")
    for epoch in range(CFG.epochs):
        model.train()
        tot = 0.0
        perm = torch.randperm(CFG.n_rows - n_valid) + n_valid
        for idx in perm.split(CFG.bs):
            loss = F.mse_loss(model(num[idx], cat[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            tot += loss.item() * len(idx)
        model.eval()
        with torch.no_grad():
            rmse = F.mse_loss(model(num[va], cat[va]), y[va]).sqrt().item()
        best = min(best, rmse)
        if epoch % 5 == 4:
            print(f"epoch {epoch + 1:2d} train mse {tot / len(perm):.4f} valid rmse {rmse:.4f} || {dead_report(acts)}")
    return best


# In[7]:
print("best valid rmse: %.4f" % run())
