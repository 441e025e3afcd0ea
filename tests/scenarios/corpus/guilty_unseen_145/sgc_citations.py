# gradwatch-corpus: kind=second-backward
# holder: data.prop | prop | data["prop"]
# first-bad: 1
# notice: 0
from types import SimpleNamespace

import torch

torch.set_num_threads(1)
import torch.nn as nn
import torch.nn.functional as F


class EdgeGate(nn.Module):
    def __init__(self, feat):
        super().__init__()
        self.score = nn.Linear(2 * feat, 1)

    def forward(self, x, src, dst):
        return torch.sigmoid(self.score(torch.cat([x[src], x[dst]], 1))).squeeze(1)


class SGC(nn.Module):
    def __init__(self, feat, classes, hops=2):
        super().__init__()
        self.gate = EdgeGate(feat)
        self.lin = nn.Linear(feat, classes)
        self.hops = hops

    def propagation(self, x, src, dst):
        n = len(x)
        w = self.gate(x, src, dst)
        adj = torch.zeros(n, n).index_put((dst, src), w, accumulate=True) + torch.eye(n)
        return adj / adj.sum(1, keepdim=True)

    def forward(self, data):
        h = data.x
        for _ in range(self.hops):
            h = data.prop @ h
        return self.lin(h)


def load_planted(n=40, classes=3, feat=9):
    y = torch.randint(0, classes, (n,))
    x = F.one_hot(y, classes).float().repeat(1, feat // classes) + 1.2 * torch.randn(n, feat)
    pairs = torch.randint(0, n, (2, 260))
    keep = (y[pairs[0]] == y[pairs[1]]) | (torch.rand(260) < 0.15)
    src, dst = pairs[:, keep]
    return SimpleNamespace(x=x, y=y, src=src, dst=dst, train=torch.rand(n) < 0.4)


def preprocess(data, model):
    data.prop = model.propagation(data.x, data.src, data.dst)  # <- culprit
    return data


def main():
    torch.manual_seed(4)
    raw = load_planted()
    model = SGC(raw.x.shape[1], 3)
    data = preprocess(raw, model)
    opt = torch.optim.Adam(model.parameters(), lr=0.02, weight_decay=5e-4)
    for epoch in range(200):
        opt.zero_grad()
        out = model(data)
        loss = F.cross_entropy(out[data.train], data.y[data.train])
        loss.backward()
        opt.step()
        acc = (out.argmax(1) == data.y)[~data.train].float().mean()
        print(f"epoch {epoch:03d} loss {loss.item():.3f} test {acc.item():.3f}")


main()
