# gradwatch-corpus: kind=none
# %%
import torch
import torch.nn as nn
import torch.optim as optim

torch.manual_seed(8)

# %%
N, D, K = 1200, 13, 3
centers = torch.randn(K, D) * 1.1
labels = torch.randint(0, K, (N,))
features = centers[labels] + torch.randn(N, D)
mean, std = features.mean(0), features.std(0)
features = (features - mean) / std
X_train, y_train = features[:960], labels[:960]
X_test, y_test = features[960:], labels[960:]


# %%
class WineNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(D, 40)
        self.bn = nn.BatchNorm1d(40)
        self.fc2 = nn.Linear(40, 20)
        self.fc3 = nn.Linear(20, K)

    def forward(self, x):
        x = torch.relu(self.bn(self.fc1(x)))
        return self.fc3(torch.relu(self.fc2(x)))


net = WineNet()
loss_fn = nn.CrossEntropyLoss()
optimizer = optim.RMSprop(net.parameters(), lr=1e-3)
epochs = 16
batch_size = 24

# %%
train_curve, test_curve = [], []
for epoch in range(epochs):
    net.train()
    batch_losses = []
    perm = torch.randperm(len(X_train))
    for i in range(0, len(X_train), batch_size):
        sel = perm[i:i + batch_size]
        optimizer.zero_grad()
        out = net(X_train[sel])
        loss = loss_fn(out, y_train[sel])
        loss.backward()
        optimizer.step()
        batch_losses.append(loss)
    epoch_loss = torch.stack(batch_losses).mean().item()
    train_curve.append(epoch_loss)

    net.eval()
    with torch.no_grad():
        pred = net(X_test)
        test_loss = loss_fn(pred, y_test)
        acc = (pred.argmax(1) == y_test).float().mean()
    test_curve.append(test_loss.item())
    print(f"Epoch {epoch + 1}/{epochs}  train {epoch_loss:.4f}  test {test_loss:.4f}  acc {acc:.3f}")

# %%
for name, curve in (("train", train_curve), ("test", test_curve)):
    lo, hi = min(curve), max(curve)
    bars = "".join(" .:-=+*#"[int(7 * (v - lo) / (hi - lo + 1e-9))] for v in curve)
    print(f"{name:>6} {bars}")

# %%
confusion = torch.zeros(K, K, dtype=torch.long)
with torch.no_grad():
    for t, p in zip(y_test, net(X_test).argmax(1)):
        confusion[t, p] += 1
print(confusion)
