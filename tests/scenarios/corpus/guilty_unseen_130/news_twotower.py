# gradwatch-corpus: kind=second-backward
# holder: model._catalogue | self._catalogue | table
# first-bad: 1
# notice: 0
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(15)


class Tower(nn.Module):
    def __init__(self, fields, dim=12):
        super().__init__()
        self.embs = nn.ModuleList(nn.Embedding(n, 6) for n in fields)
        self.mlp = nn.Sequential(nn.Linear(6 * len(fields), 20), nn.ReLU(), nn.Linear(20, dim))

    def forward(self, cols):
        return self.mlp(torch.cat([e(c) for e, c in zip(self.embs, cols.unbind(-1))], -1))


class NewsMatcher(nn.Module):
    def __init__(self, articles):
        super().__init__()
        self.reader = Tower((12, 5))
        self.article = Tower((9, 7, 4))
        self.articles = articles
        self._catalogue = None

    def catalogue(self):
        if self._catalogue is None:
            self._catalogue = self.article(self.articles)  # <- culprit
        return self._catalogue

    def invalidate(self):
        self._catalogue = None

    def forward(self, reader_cols):
        table = F.normalize(self.catalogue(), dim=-1)
        return self.reader(reader_cols) @ table.t()


def click_stream(n, articles):
    for _ in range(n):
        cols = torch.stack([torch.randint(0, 12, (16,)), torch.randint(0, 5, (16,))], -1)
        yield cols, (cols[:, 0] * 3 + cols[:, 1]) % len(articles)


articles = torch.stack([torch.randint(0, k, (40,)) for k in (9, 7, 4)], -1)
model = NewsMatcher(articles)
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(6):
    model.invalidate()
    for cols, clicked in click_stream(50, articles):
        loss = F.cross_entropy(model(cols) * 4.0, clicked)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(epoch, loss.item())
