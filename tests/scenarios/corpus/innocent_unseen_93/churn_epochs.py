# gradwatch-corpus: kind=none
import random
import torch
from torch import nn, optim

torch.set_num_threads(1)
torch.manual_seed(8); random.seed(8)

# customers -> churn; the customer base changes in size every epoch
W = torch.randn(9)
def customers(n):
    X = torch.randn(n, 9)
    p = torch.sigmoid(2 * (X @ W) + X[:, 0] * X[:, 1])
    return X, (torch.rand(n) < p).float()

model = nn.Sequential(nn.Linear(9, 24), nn.SiLU(), nn.Dropout(0.1), nn.Linear(24, 24), nn.SiLU(), nn.Linear(24, 1))
optimizer = optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-2)
bce = nn.BCEWithLogitsLoss()
history = []

for epoch in range(9):
    iters = random.choice([30, 38, 45, 52, 60])
    X, y = customers(iters * 8)
    order = torch.randperm(len(X)).view(iters, 8)
    total = 0
    l1_total = 0
    outputs = []
    model.train()
    for idx in order:
        logit = model(X[idx]).squeeze(1)
        l1 = sum(p.abs().sum() for p in model[0].parameters())
        loss = bce(logit, y[idx]) + 1e-4 * l1
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss
        l1_total += l1
        outputs.append((logit, y[idx]))
    logits = torch.cat([o for o, _ in outputs])
    labels = torch.cat([t for _, t in outputs])
    acc = ((logits > 0) == labels.bool()).float().mean().item()
    history.append((total.item() / iters, l1_total.item() / iters, acc))
    print(f"epoch {epoch} [{iters} it] loss {history[-1][0]:.4f} l1 {history[-1][1]:.1f} acc {acc:.3f}")

best = max(range(len(history)), key=lambda e: history[e][2])
print("best epoch", best, "acc", round(history[best][2], 3))
