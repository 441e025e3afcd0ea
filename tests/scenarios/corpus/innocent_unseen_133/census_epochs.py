# gradwatch-corpus: kind=none
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(314)


class Tally:
    def __init__(self):
        self.open()

    def open(self):
        self.sum, self.rows = 0.0, 0

    def add(self, loss, n):
        self.sum = self.sum + loss * n
        self.rows += n

    @property
    def mean(self):
        return self.sum / self.rows


class EpochDriver:
    """Full-batch descent over a loader: one step an epoch."""

    def __init__(self, model, loader, lr):
        self.model, self.loader = model, loader
        self.opt = torch.optim.Rprop(model.parameters(), lr=lr)
        self.tally = Tally()
        self.curve = []

    def on_epoch_start(self):
        self.tally.open()

    def on_batch(self, x, y):
        self.tally.add(nn.functional.poisson_nll_loss(self.model(x).squeeze(-1), y), len(y))

    def on_epoch_end(self):
        mean = self.tally.mean
        self.opt.zero_grad()
        mean.backward()
        self.opt.step()
        self.curve.append(mean.item())

    def fit(self, epochs):
        for _ in range(epochs):
            self.on_epoch_start()
            for x, y in self.loader:
                self.on_batch(x, y)
            self.on_epoch_end()
        return self.curve


age = torch.rand(96, 5)
children = torch.poisson((age @ torch.tensor([1.0, -0.5, 0.3, 0.8, 0.0])).exp())
net = nn.Sequential(nn.Linear(5, 10), nn.Softsign(), nn.Linear(10, 1))
curve = EpochDriver(net, DataLoader(TensorDataset(age, children), batch_size=8, shuffle=True), 1e-3).fit(450)
print(curve[0], curve[-1])
