# gradwatch-corpus: kind=none
"""Pottery dating by exemplars: 25 sherds are put on the shelf in the first rounds and stay there."""
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(53)
torch.set_num_threads(1)


class Shelf:
    def __init__(self, room):
        self.room = room
        self.keys, self.dates = [], []

    @property
    def full(self):
        return len(self.keys) >= self.room

    def put(self, key, date):
        if not self.full:
            self.keys.append(key)
            self.dates.append(date)

    def lookup(self, query):
        keys = torch.stack(self.keys)
        att = torch.softmax(-torch.cdist(query, keys), -1)
        return att @ torch.stack(self.dates)


class Dater(nn.Module):
    def __init__(self, n_in=8, width=6, room=25):
        super().__init__()
        self.exemplar = nn.Linear(n_in, width)
        self.query = nn.Sequential(nn.Linear(n_in, 20), nn.ReLU(), nn.Linear(20, width))
        self.shelf = Shelf(room)

    def forward(self, x):
        return self.shelf.lookup(self.query(x))

    def keep(self, x, y):
        self.shelf.put(self.exemplar(x), y)


def sherds(n):
    x = torch.randn(n, 8)
    return x, torch.tanh(x[:, 0]) + 0.5 * torch.sign(x[:, 1])


dater = Dater()
opt = torch.optim.SGD(dater.parameters(), lr=0.05, momentum=0.9)
average = None
for step in range(180):
    x, y = sherds(20)
    if not dater.shelf.full:
        dater.keep(x[0], y[0])
    loss = F.mse_loss(dater(x), y)
    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()
    average = loss.item() if average is None else 0.95 * average + 0.05 * loss.item()
    if step % 36 == 35:
        print(step, len(dater.shelf.keys), f"{average:.4f}")
