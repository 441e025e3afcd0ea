# gradwatch-corpus: kind=none
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(2024)


def customers(n=1500):
    x = torch.randn(n, 9)
    logit = 1.2 * x[:, 0] - 0.8 * x[:, 1] * x[:, 2] + 0.6 * x[:, 3].abs() - 0.7
    y = (torch.rand(n) < logit.sigmoid()).float()
    return TensorDataset(x, y)


class ChurnNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(9, 32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, x):
        return self.net(x).squeeze(1)


class EarlyStopping:
    """Stops when the validation loss does not improve; keeps the outputs and weights of the best epoch."""

    def __init__(self, patience=3, delta=1e-4):
        self.patience, self.delta = patience, delta
        self.counter = 0
        self.best_loss = np.inf
        self.best_outputs = None
        self.best_state = None
        self.history = []

    def __call__(self, val_loss, outputs, model):
        self.history.append((val_loss, outputs.mean()))
        if val_loss < self.best_loss - self.delta:
            self.best_loss = val_loss
            self.best_outputs = outputs
            self.best_state = {k: v.clone() for k, v in model.state_dict().items()}
            self.counter = 0
        else:
            self.counter += 1
        return self.counter >= self.patience


def step(model, batch, criterion, optimizer):
    x, y = batch
    loss = criterion(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return float(loss)


def validate(model, loader, criterion):
    model.eval()
    outputs, targets = [], []
    loss = 0
    with torch.no_grad():
        for x, y in loader:
            out = model(x)
            outputs.append(out)
            targets.append(y)
            loss += criterion(out, y) * len(y)
    model.train()
    outputs, targets = torch.cat(outputs), torch.cat(targets)
    return loss / len(targets), outputs, targets


data_train, data_val = random_split(customers(), [1200, 300])
loader_train = DataLoader(data_train, batch_size=64, shuffle=True)
loader_val = DataLoader(data_val, batch_size=100)

model = ChurnNet()
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
stopper = EarlyStopping(patience=3)

train_losses, losses = [], []
for epoch in range(12):
    epoch_losses = []
    for batch in loader_train:
        loss = step(model, batch, criterion, optimizer)
        epoch_losses.append(loss)
        losses.append(loss)
    train_losses.append(sum(epoch_losses) / len(epoch_losses))
    val_loss, outputs, targets = validate(model, loader_val, criterion)
    acc = ((outputs > 0) == (targets > 0.5)).float().mean()
    print(f"Epoch {epoch + 1:2d} train {train_losses[-1]:.4f} val {val_loss:.4f} acc {acc:.3f}")
    if stopper(val_loss, outputs, model):
        print("Early stopping")
        break

model.load_state_dict(stopper.best_state)
print("best val loss %.4f, mean churn probability %.3f over %d batches" % (
    stopper.best_loss, stopper.best_outputs.sigmoid().mean(), len(losses)))
