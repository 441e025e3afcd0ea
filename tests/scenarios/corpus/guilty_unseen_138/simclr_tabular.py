# gradwatch-corpus: kind=inplace-modified
# holder: sim | exp_sim
# first-bad: 0
# notice: 0
"""SCARF/SimCLR style pretraining on tabular rows, with feature corruption."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(9)


def make_table(n=800, d=10, k=4):
    centers = 2 * torch.randn(k, d)
    lab = torch.randint(0, k, (n,))
    return centers[lab] + torch.randn(n, d), lab


def corrupt(x, table, p=0.3):
    mask = torch.rand_like(x) < p
    rnd = torch.stack([table[torch.randint(0, len(table), (len(x),)), j] for j in range(x.size(1))], 1)
    return torch.where(mask, rnd, x)


class Projector(nn.Module):
    def __init__(self, d, hidden=32, out=12):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(d, hidden), nn.BatchNorm1d(hidden), nn.ReLU(), nn.Linear(hidden, hidden))
        self.head = nn.Sequential(nn.ReLU(), nn.Linear(hidden, out))

    def forward(self, x):
        return F.normalize(self.head(self.encoder(x)), dim=1)


class NTXent(nn.Module):
    def __init__(self, temperature=0.5):
        super().__init__()
        self.temperature = temperature

    def similarity(self, z):
        sim = torch.exp(z @ z.t() / self.temperature)
        sim.fill_diagonal_(0.0)  # <- culprit
        return sim

    def forward(self, za, zb):
        n = za.size(0)
        sim = self.similarity(torch.cat([za, zb]))
        idx = torch.arange(n)
        pos = torch.cat([sim[idx, idx + n], sim[idx + n, idx]])
        return -torch.log(pos / sim.sum(1)).mean()


def knn_accuracy(model, x, y):
    model.eval()
    with torch.no_grad():
        h = F.normalize(model.encoder(x), dim=1)
        nearest = (h @ h.t() - 2 * torch.eye(len(h))).argmax(1)
    model.train()
    return (y[nearest] == y).float().mean().item()


def pretrain():
    table, labels = make_table()
    net = Projector(table.size(1))
    criterion = NTXent()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    for epoch in range(12):
        for rows in torch.randperm(len(table)).split(32):
            x = table[rows]
            loss = criterion(net(x), net(corrupt(x, table)))
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(epoch, round(loss.item(), 4), "knn", round(knn_accuracy(net, table, labels), 3))


pretrain()
