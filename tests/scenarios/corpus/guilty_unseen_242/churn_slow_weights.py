# gradwatch-corpus: kind=graph-chain
# holder: state["slow"] | slow
# first-bad: 1
"""Customer churn for a phone operator. Tabular net with entity embeddings.
I pull the fast weights softly towards slow ones, that gave less jumpy AUC on the real data."""
import math
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

random.seed(3)
torch.manual_seed(3)

CFG = {
    "n_rows": 1600,
    "batch": 64,
    "epochs": 5,
    "lr": 2e-3,
    "slow_rate": 0.05,
    "pull": 0.02,
}

# ---------------------------------------------------------------- data
plan = torch.randint(0, 6, (CFG["n_rows"],))
region = torch.randint(0, 12, (CFG["n_rows"],))
num = torch.randn(CFG["n_rows"], 7)
score = 0.8 * num[:, 0] - 1.1 * num[:, 3] + 0.4 * (plan == 2).float() - 0.6 * (region > 8).float()
churned = (score + 0.3 * torch.randn(CFG["n_rows"]) > 0.2).float()
perm = torch.randperm(CFG["n_rows"])
train_idx = perm[:1280]
valid_idx = perm[1280:]


class ChurnNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.plan_emb = nn.Embedding(6, 4)
        self.region_emb = nn.Embedding(12, 5)
        self.fc1 = nn.Linear(4 + 5 + 7, 48)
        self.fc2 = nn.Linear(48, 24)
        self.out = nn.Linear(24, 1)
        self.drop = nn.Dropout(0.1)

    def forward(self, p, r, x):
        z = torch.cat([self.plan_emb(p), self.region_emb(r), x], dim=1)
        z = F.relu(self.fc1(z))
        z = self.drop(z)
        z = F.relu(self.fc2(z))
        return self.out(z).squeeze(1)


net = ChurnNet()
opt = torch.optim.AdamW(net.parameters(), lr=CFG["lr"], weight_decay=1e-3)

state = {
    "step": 0,
    "slow": {k: p.detach().clone() for k, p in net.named_parameters()},
    "best_acc": 0.0,
    "best_weights": None,
}
table = {"epoch": [], "loss": [], "pull": [], "acc": []}


def pull_term(net, slow):
    total = 0.0
    for k, p in net.named_parameters():
        total = total + (p - slow[k]).pow(2).sum()
    return total


def move_slow(net, slow, rate):
    for k, p in net.named_parameters():
        slow[k] = torch.lerp(slow[k], p, rate)  # <- culprit
    return slow


def accuracy(idx):
    net.eval()
    with torch.no_grad():
        out = net(plan[idx], region[idx], num[idx])
    net.train()
    return ((out > 0).float() == churned[idx]).float().mean().item()


for epoch in range(CFG["epochs"]):
    order = train_idx[torch.randperm(len(train_idx))]
    losses = []
    pulls = []
    for i in range(0, len(order), CFG["batch"]):
        idx = order[i:i + CFG["batch"]]
        logits = net(plan[idx], region[idx], num[idx])
        bce = F.binary_cross_entropy_with_logits(logits, churned[idx])
        pull = pull_term(net, state["slow"])
        loss = bce + CFG["pull"] * pull
        opt.zero_grad()
        loss.backward()
        opt.step()
        state["slow"] = move_slow(net, state["slow"], CFG["slow_rate"])
        state["step"] += 1
        losses.append(bce.item())
        pulls.append(pull.item())
    acc = accuracy(valid_idx)
    if acc > state["best_acc"]:
        state["best_acc"] = acc
        state["best_weights"] = {k: v.clone() for k, v in net.state_dict().items()}
    table["epoch"].append(epoch)
    table["loss"].append(sum(losses) / len(losses))
    table["pull"].append(sum(pulls) / len(pulls))
    table["acc"].append(acc)

print("\t".join(table))
for row in zip(*table.values()):
    print("\t".join(f"{v:.4f}" for v in row))
print("best accuracy", round(state["best_acc"], 4), "log-odds base", round(math.log(churned.mean().item() / (1 - churned.mean().item())), 3))
