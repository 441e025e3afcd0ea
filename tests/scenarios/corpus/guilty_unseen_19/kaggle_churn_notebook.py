# gradwatch-corpus: kind=graph-held
# holder: all_probs | all_probs[i] | all_probs[-1]
# first-bad: 1
"""Exported from my notebook "churn-baseline-v7 (LB 0.81)". Synthetic stand-in for the customer table so
it runs outside the competition."""
# coding: utf-8

# In[1]:

import math
import random
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

SEED = 2021
random.seed(SEED)
torch.manual_seed(SEED)


# In[2]:  ### load data

N = 4000
tenure = torch.randint(1, 72, (N,)).float()
charges = 20 + 90 * torch.rand(N)
contract = torch.randint(0, 3, (N,))
payment = torch.randint(0, 4, (N,))
calls = torch.poisson(torch.full((N,), 1.5))

logit = -0.05 * tenure + 0.02 * charges - 0.8 * contract.float() + 0.4 * calls - 0.3
churn = (torch.rand(N) < torch.sigmoid(logit)).float()
print("churn rate:", churn.mean().item())


# In[3]:  ### preprocessing

def zscore(t):
    return (t - t.mean()) / (t.std() + 1e-6)

num = torch.stack([zscore(tenure), zscore(charges), zscore(calls)], dim=1)
cat = torch.stack([contract, payment], dim=1)
perm = torch.randperm(N)
tr, va = perm[:3200], perm[3200:]


# In[4]:

class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.e1 = nn.Embedding(3, 4)
        self.e2 = nn.Embedding(4, 4)
        self.bn = nn.BatchNorm1d(3)
        self.l1 = nn.Linear(11, 64)
        self.l2 = nn.Linear(64, 32)
        self.l3 = nn.Linear(32, 1)
        self.drop = nn.Dropout(0.2)

    def forward(self, n, c):
        x = torch.cat([self.bn(n), self.e1(c[:, 0]), self.e2(c[:, 1])], dim=1)
        x = self.drop(F.relu(self.l1(x)))
        x = self.drop(F.relu(self.l2(x)))
        return self.l3(x).squeeze(1)


net = Net()
opt = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=1e-4)
crit = nn.BCEWithLogitsLoss()


# In[5]:  ### metric (rank based AUC)

def auc(y, p):
    order = p.argsort()
    ranks = torch.empty_like(p)
    ranks[order] = torch.arange(1, len(p) + 1, dtype=p.dtype)
    pos = y.sum()
    neg = len(y) - pos
    if pos == 0 or neg == 0:
        return float("nan")
    return ((ranks[y == 1].sum() - pos * (pos + 1) / 2) / (pos * neg)).item()


# In[6]:

EPOCHS = 8
BS = 100
all_probs = []
all_y = []
valid_auc = []
train_auc = []


# In[7]:  ### training

t0 = time.time()
for epoch in range(EPOCHS):
    net.train()
    idx = tr[torch.randperm(len(tr))]
    ep_loss = 0.0
    for b in range(0, len(idx), BS):
        j = idx[b:b + BS]
        xb_n, xb_c, yb = num[j], cat[j], churn[j]
        opt.zero_grad()
        out = net(xb_n, xb_c)
        loss = crit(out, yb)
        loss.backward()
        opt.step()
        ep_loss += loss.item() * len(j)
        probs = torch.sigmoid(out)
        all_probs.append(probs)  # <- culprit
        all_y.append(yb)

    with torch.no_grad():
        k = math.ceil(len(tr) / BS)
        train_auc.append(auc(torch.cat(all_y[-k:]), torch.cat(all_probs[-k:])))

    net.eval()
    with torch.no_grad():
        pv = torch.sigmoid(net(num[va], cat[va]))
    valid_auc.append(auc(churn[va], pv))
    print("epoch", epoch, "loss", round(ep_loss / len(tr), 4), "train auc", round(train_auc[-1], 4),
          "valid auc", round(valid_auc[-1], 4))


# In[8]:

print("time: %.1fs" % (time.time() - t0))
print("best valid auc", max(valid_auc))
