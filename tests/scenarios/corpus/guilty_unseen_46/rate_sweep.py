# gradwatch-corpus: kind=graph-held
# holder: avg_loss | losses | smoothed_loss | best_loss
# first-bad: 1
# LR finder from sgugger's blog post, put to use on tabular data.
import math

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(2)
np.random.seed(2)

N, D, C = 6400, 30, 5


def make_table():
    X = np.random.randn(N, D).astype("float32")
    W = np.random.randn(D, C)
    y = (X @ W + 0.5 * np.random.randn(N, C)).argmax(1)
    X[:, ::5] = np.exp(X[:, ::5])
    mu, sd = X.mean(0), X.std(0)
    return torch.tensor((X - mu) / sd), torch.tensor(y)


class TabNet(nn.Module):
    def __init__(self, d, c, hidden=64, p=0.1):
        super().__init__()
        self.bn = nn.BatchNorm1d(d)
        self.lin1 = nn.Linear(d, hidden)
        self.lin2 = nn.Linear(hidden, hidden)
        self.out = nn.Linear(hidden, c)
        self.drop = nn.Dropout(p)

    def forward(self, x):
        x = F.relu(self.lin1(self.bn(x)))
        x = self.drop(F.relu(self.lin2(x)))
        return self.out(x)


X, y = make_table()
trn_loader = DataLoader(TensorDataset(X, y), batch_size=64, shuffle=True, drop_last=True)
net = TabNet(D, C)
optimizer = torch.optim.SGD(net.parameters(), lr=1e-1, momentum=0.9)
criterion = nn.CrossEntropyLoss()


def find_lr(init_value=1e-5, final_value=10., beta=0.98):
    num = len(trn_loader) - 1
    mult = (final_value / init_value) ** (1 / num)
    lr = init_value
    optimizer.param_groups[0]["lr"] = lr
    avg_loss = 0.
    best_loss = 0.
    batch_num = 0
    losses = []
    log_lrs = []
    for data in trn_loader:
        batch_num += 1
        inputs, labels = data
        optimizer.zero_grad()
        outputs = net(inputs)
        loss = criterion(outputs, labels)
        # Compute the smoothed loss
        avg_loss = beta * avg_loss + (1 - beta) * loss  # <- culprit
        smoothed_loss = avg_loss / (1 - beta ** batch_num)  # <- culprit
        # Stop if the loss is exploding
        if batch_num > 1 and smoothed_loss > 4 * best_loss:
            return log_lrs, losses
        # Record the best loss
        if smoothed_loss < best_loss or batch_num == 1:
            best_loss = smoothed_loss
        losses.append(smoothed_loss)  # <- culprit
        log_lrs.append(math.log10(lr))
        # Do the SGD step
        loss.backward()
        optimizer.step()
        # Update the lr for the next step
        lr *= mult
        optimizer.param_groups[0]["lr"] = lr
    return log_lrs, losses


def suggest(log_lrs, losses, skip=10):
    vals = np.array([float(v) for v in losses[skip:]])
    slope = np.gradient(vals, log_lrs[skip:])
    best = slope.argmin()
    return 10 ** log_lrs[skip + best]


logs, losses = find_lr()
print("swept %d rates, from 1e%.1f to 1e%.1f" % (len(logs), logs[0], logs[-1]))
for k in range(0, len(logs), 15):
    print("  lr 1e%+.2f   loss %.3f" % (logs[k], losses[k]))
print("suggested lr: %.2e" % suggest(logs, losses))
