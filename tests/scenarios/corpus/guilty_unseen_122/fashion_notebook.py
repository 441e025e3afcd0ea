# gradwatch-corpus: kind=graph-held
# holder: running_loss | epoch_curve
# first-bad: 1
# notice: 8
# %% [markdown]
# # Homework 3 - classifying tiny clothes
# (exported from the notebook with jupytext)

# %%
import torch
torch.set_num_threads(1)
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import TensorDataset, DataLoader

torch.manual_seed(1337)

# %% fake "fashion" images, 10 classes, each class has its own blurry template
templates = torch.randn(10, 1, 12, 12)
y_all = torch.randint(0, 10, (640,))
x_all = templates[y_all] + 0.8 * torch.randn(640, 1, 12, 12)
x_tr, y_tr, x_te, y_te = x_all[:512], y_all[:512], x_all[512:], y_all[512:]
train_loader = DataLoader(TensorDataset(x_tr, y_tr), batch_size=16, shuffle=True)
test_loader = DataLoader(TensorDataset(x_te, y_te), batch_size=64)

# %%
class ConvNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv2d(1, 8, 3, padding=1)
        self.c2 = nn.Conv2d(8, 12, 3, padding=1)
        self.drop = nn.Dropout(0.2)
        self.out = nn.Linear(12 * 3 * 3, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.c1(x)), 2)
        x = F.max_pool2d(F.relu(self.c2(x)), 2)
        return self.out(self.drop(x.flatten(1)))

net = ConvNet()
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
lossf = nn.CrossEntropyLoss()

# %%
def test_acc():
    net.eval()
    hit = 0
    with torch.no_grad():
        for xb, yb in test_loader:
            hit += (net(xb).argmax(1) == yb).sum().item()
    net.train()
    return hit / len(y_te)

# %% training cell
epoch_curve, acc_curve = [], []
for ep in range(10):
    running_loss = 0.0
    correct = 0
    for xb, yb in train_loader:
        opt.zero_grad()
        logits = net(xb)
        loss = lossf(logits, yb)
        loss.backward()
        opt.step()
        running_loss += loss  # <- culprit
        correct += (logits.argmax(1) == yb).sum().item()
    epoch_curve.append(running_loss / len(train_loader))  # <- culprit
    acc_curve.append(test_acc())
    print(f"epoch {ep}: loss {epoch_curve[-1]:.3f} train {correct / len(y_tr):.3f} test {acc_curve[-1]:.3f}")

# %% poor man's plot
best = min(range(len(epoch_curve)), key=lambda i: float(epoch_curve[i]))
for i, v in enumerate(epoch_curve):
    print(f"{i:2d} " + "#" * int(float(v) * 20) + (" *" if i == best else ""))
