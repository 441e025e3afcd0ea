# gradwatch-corpus: kind=crashed
# first-bad: 25
# notice: 0
"""Greenhouse yield regression with a validation pass after every epoch."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.set_num_threads(1)
torch.manual_seed(10)


def greenhouse(n=500):
    x = torch.rand(n, 5)
    y = 3 * x[:, 0] * x[:, 1] - (x[:, 2] - 0.5) ** 2 + 0.1 * torch.randn(n)
    return TensorDataset(x, y[:, None])


class Switch:
    """Puts a network into evaluation for the length of a pass."""

    def __init__(self, net):
        self.net = net

    def __enter__(self):
        self.was_training = self.net.training
        self.net.eval()
        torch.set_grad_enabled(False)  # <- culprit
        return self.net

    def __exit__(self, *exc):
        self.net.train(self.was_training)  # <- culprit


def score(net, loader):
    sse = n = 0
    with Switch(net) as m:
        for x, y in loader:
            sse += (m(x) - y).pow(2).sum().item()
            n += len(y)
    return (sse / n) ** 0.5


train, val = random_split(greenhouse(), [400, 100])
net = nn.Sequential(nn.Linear(5, 20), nn.ReLU(), nn.Dropout(0.05), nn.Linear(20, 1))
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
for epoch in range(20):
    for x, y in DataLoader(train, batch_size=16, shuffle=True):
        opt.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        opt.step()
    print(epoch, f"rmse {score(net, DataLoader(val, batch_size=50)):.4f}")
