# gradwatch-corpus: kind=none
"""Leaf silhouettes -> species. The style of a notebook."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(99)

SPECIES = 5
SIZE = 16


def leaf(kind, n):
    """Radial outlines with species-dependent lobes, drawn on a SIZE x SIZE grid."""
    yy, xx = torch.meshgrid(torch.linspace(-1, 1, SIZE), torch.linspace(-1, 1, SIZE), indexing="ij")
    ang, rad = torch.atan2(yy, xx), (xx ** 2 + yy ** 2).sqrt()
    turn = torch.rand(n, 1, 1) * 6.283
    edge = 0.6 + 0.25 * torch.cos((kind + 1) * (ang + turn)) * torch.rand(n, 1, 1)
    return (torch.sigmoid((edge - rad) * 12) + 0.1 * torch.randn(n, SIZE, SIZE)).unsqueeze(1)


def make(n_each):
    x = torch.cat([leaf(k, n_each) for k in range(SPECIES)])
    y = torch.arange(SPECIES).repeat_interleave(n_each)
    p = torch.randperm(len(x))
    return x[p], y[p]


xtr, ytr = make(80)
xva, yva = make(20)
model = nn.Sequential(
    nn.Conv2d(1, 6, 3, stride=2, padding=1), nn.ReLU(),
    nn.Conv2d(6, 12, 3, stride=2, padding=1), nn.ReLU(),
    nn.Flatten(), nn.Linear(12 * 16, SPECIES))
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)


def evaluate():
    total, right, parts = 0.0, 0, []
    for xb, yb in zip(xva.split(25), yva.split(25)):
        out = model(xb)
        total = total + F.cross_entropy(out, yb, reduction="sum")
        right = right + (out.argmax(1) == yb).sum()
        parts.append(out)
    margins = torch.cat(parts).topk(2, dim=1).values
    margin = (margins[:, 0] - margins[:, 1]).mean()
    return total / len(xva), right.item() / len(xva), margin


history = {"train": [], "val": [], "acc": []}
epoch_losses = []
for epoch in range(42):
    epoch_losses.clear()
    epoch_logits = []
    order = torch.randperm(len(xtr))
    for i, idx in enumerate(order.split(40)):
        logits = model(xtr[idx])
        loss = F.cross_entropy(logits, ytr[idx], label_smoothing=0.05)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        epoch_losses.append(loss)
        epoch_logits.append(logits)
    train_loss = sum(epoch_losses) / len(epoch_losses)
    train_conf = torch.cat(epoch_logits).softmax(1).max(1).values.mean()
    val_loss, acc, margin = evaluate()
    history["train"].append(train_loss.item())
    history["val"].append(val_loss.detach())
    history["acc"].append(acc)
    if epoch % 6 == 5:
        print(f"epoch {epoch:2d}: train {train_loss:.3f} (conf {train_conf:.2f}) "
              f"val {val_loss:.3f} acc {acc:.2f} margin {margin:.2f}")

print("best epoch by val:", int(torch.stack(history["val"]).argmin()),
      "| last batch", i, "loss", round(loss.item(), 4))
