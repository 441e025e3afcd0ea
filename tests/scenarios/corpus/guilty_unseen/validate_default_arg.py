# gradwatch-corpus: kind=graph-held
# holder: preds | validate.__defaults__ | validate.__defaults__[0]
# also: graph-unused
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
DEVICE = torch.device("cpu")


def validate(model, batch, preds=[], labels=[]):
    model.eval()
    x, y = batch
    out = model(x.to(DEVICE))  # <- culprit
    preds.append(out)  # <- culprit
    labels.append(y)
    model.train()
    return (out.argmax(1) == y).float().mean().item()


X = torch.randn(8000, 28)
W = torch.randn(28, 4)
Y = (X @ W).argmax(1)
train_dl = DataLoader(TensorDataset(X[:7680], Y[:7680]), batch_size=48, shuffle=True)
val_dl = DataLoader(TensorDataset(X[7680:], Y[7680:]), batch_size=80, shuffle=True)

model = nn.Sequential(
    nn.Linear(28, 128), nn.BatchNorm1d(128), nn.ReLU(),
    nn.Linear(128, 128), nn.BatchNorm1d(128), nn.ReLU(),
    nn.Linear(128, 4),
).to(DEVICE)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=1e-2)
loss_fn = nn.CrossEntropyLoss()
best = 0.0

for step, (xb, yb) in enumerate(train_dl):
    optimizer.zero_grad()
    loss = loss_fn(model(xb), yb)
    loss.backward()
    optimizer.step()
    acc = validate(model, next(iter(val_dl)))  # <- culprit
    if acc > best:
        best = acc
        print(f"step {step}: new best {acc:.3f}")
