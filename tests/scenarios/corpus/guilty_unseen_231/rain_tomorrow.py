# gradwatch-corpus: kind=graph-chain
# holder: cost
# first-bad: 1
# Will it rain tomorrow? Logistic regression, homework 2
import numpy as np
import torch

np.random.seed(11)
torch.manual_seed(11)

n_days = 1200
temp = 12 + 8 * np.sin(np.arange(n_days) / 365 * 2 * np.pi) + np.random.randn(n_days)
pressure = 1013 + np.cumsum(np.random.randn(n_days)) * 0.3
humidity = np.clip(60 + 15 * np.random.randn(n_days), 5, 100)
wind = np.abs(np.random.randn(n_days)) * 4
rain = (0.04 * (humidity - 60) - 0.1 * (pressure - 1013) + 0.3 * np.random.randn(n_days)) > 0

X = np.stack([temp, pressure, humidity, wind], axis=1)
X = (X - X.mean(0)) / X.std(0)
X_train = torch.tensor(X[:1000], dtype=torch.float32)
X_test = torch.tensor(X[1000:], dtype=torch.float32)
y_train = torch.tensor(rain[:1000].astype("float32")).unsqueeze(1)
y_test = torch.tensor(rain[1000:].astype("float32")).unsqueeze(1)

model = torch.nn.Linear(4, 1)
loss_fn = torch.nn.BCEWithLogitsLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

batch_size = 100
epochs = 10
cost = 0.0
step = 0
costs = []

for epoch in range(epochs):
    order = torch.randperm(len(X_train))
    for start in range(0, len(X_train), batch_size):
        idx = order[start:start + batch_size]
        xb = X_train[idx]
        yb = y_train[idx]

        optimizer.zero_grad()
        logits = model(xb)
        cost = cost + loss_fn(logits, yb)  # <- culprit
        cost.backward(retain_graph=True)  # <- culprit
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()

        step += 1
        costs.append(cost.item() / step)

    with torch.no_grad():
        pred = torch.sigmoid(model(X_test)) > 0.5
        acc = (pred.float() == y_test).float().mean().item()
    print(f"epoch {epoch + 1:2d}  cost {costs[-1]:.4f}  test accuracy {acc:.3f}")

names = ["temp", "pressure", "humidity", "wind"]
for name, w in zip(names, model.weight[0].tolist()):
    print(f"{name:>10s} {w:+.3f}")
