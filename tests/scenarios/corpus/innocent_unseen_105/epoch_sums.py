# gradwatch-corpus: kind=none
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(0)
np.random.seed(0)

# ---- data: two-moons style turbine states, 3 classes -------------------------------
n = 1200
t = np.random.rand(n) * 3.0
cls = np.random.randint(0, 3, n)
x = np.stack([np.cos(t + 2.1 * cls) * (1 + 0.3 * cls),
              np.sin(t + 2.1 * cls) * (1 + 0.3 * cls),
              t / 3.0], axis=1) + 0.15 * np.random.randn(n, 3)
X = torch.tensor(x, dtype=torch.float32)
Y = torch.tensor(cls)
train_dl = DataLoader(TensorDataset(X[:960], Y[:960]), batch_size=24, shuffle=True)
valid_x, valid_y = X[960:], Y[960:]

net = nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 32), nn.ReLU(),
                    nn.Linear(32, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=1, factor=0.5)

epoch_losses = []
epoch_preds = []
epoch_targets = []
summary = []

for epoch in range(10):
    net.train()
    running = 0
    for xb, yb in train_dl:
        optimizer.zero_grad()
        pred = net(xb)
        loss = criterion(pred, yb)
        loss.backward()
        optimizer.step()
        running += loss
        epoch_losses.append(loss)
        epoch_preds.append(pred)
        epoch_targets.append(yb)

    mean_loss = (running / len(train_dl)).item()
    worst = max(epoch_losses).item()
    train_acc = (torch.cat(epoch_preds).argmax(1) == torch.cat(epoch_targets)).float().mean().item()

    net.eval()
    with torch.no_grad():
        out = net(valid_x)
        val_loss = criterion(out, valid_y).item()
        val_acc = (out.argmax(1) == valid_y).float().mean().item()
    scheduler.step(val_loss)

    summary.append((epoch, mean_loss, val_loss))
    print(f"epoch {epoch}: train {mean_loss:.4f} (worst {worst:.4f}, acc {train_acc:.3f}) "
          f"valid {val_loss:.4f} acc {val_acc:.3f} lr {optimizer.param_groups[0]['lr']:.1e}")

    epoch_losses.clear()
    epoch_preds.clear()
    epoch_targets.clear()

best = min(summary, key=lambda r: r[2])
print("best epoch", best[0], "valid loss %.4f" % best[2])
