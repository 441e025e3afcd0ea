# gradwatch-corpus: kind=graph-chain
# holder: hidden
# first-bad: 1
# hourly load of substations, one long stream cut into pieces of 4 hours
import torch
import torch.nn as nn

torch.manual_seed(8)

n_sub = 10
piece = 4
n_pieces = 75
lr = 0.03
clip = 1.0

# --- fake load curves
t = torch.arange(0, piece * n_pieces + 1, dtype=torch.float32)
phase = torch.rand(n_sub, 1) * 6.28
level = 0.5 + torch.rand(n_sub, 1)
load = level * torch.sin(2 * 3.14159 * t / 24.0 + phase) + 0.2 * torch.sin(2 * 3.14159 * t / 168.0)
load = load + 0.05 * torch.randn_like(load)
temp = torch.cos(2 * 3.14159 * t / 24.0).repeat(n_sub, 1) + 0.1 * torch.randn_like(load)
feats = torch.stack([load, temp], dim=2)

cell = nn.GRUCell(2, 14)
head = nn.Linear(14, 1)
weights = list(cell.parameters()) + list(head.parameters())


def run_piece(x, h):
    outs = []
    for j in range(x.shape[1]):
        h = cell(x[:, j], h)
        outs.append(head(h))
    return torch.cat(outs, dim=1), h


def sgd(ws, lr):
    norm = torch.sqrt(sum((w.grad.data ** 2).sum() for w in ws))
    scale = min(1.0, clip / (norm.item() + 1e-6))
    for w in ws:
        w.data -= lr * scale * w.grad.data


hidden = torch.zeros(n_sub, 14)
log = {"piece": [], "mse": [], "lr": []}
patience_left = 30
best = 1e9

for k in range(n_pieces):
    a = k * piece
    x = feats[:, a:a + piece]
    y = load[:, a + 1:a + piece + 1]
    pred, hidden = run_piece(x, hidden)  # <- culprit
    mse = ((pred - y) ** 2).mean()
    for w in weights:
        w.grad = None
    mse.backward(retain_graph=True)  # <- culprit
    sgd(weights, lr)

    m = float(mse)
    log["piece"].append(k)
    log["mse"].append(m)
    log["lr"].append(lr)
    if m < best - 1e-4:
        best = m
        patience_left = 30
    else:
        patience_left -= 1
    if patience_left == 0:
        lr = lr * 0.5
        patience_left = 30

for k in range(0, n_pieces, 15):
    chunk = log["mse"][k:k + 15]
    print(f"pieces {k:3d}-{k + len(chunk) - 1:3d}  mse {sum(chunk) / len(chunk):.4f}")
print("best piece mse %.4f, last lr %.4f" % (best, lr))
