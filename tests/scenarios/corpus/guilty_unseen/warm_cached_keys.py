# gradwatch-corpus: kind=second-backward
# first-bad: 21
# holder: self.keys | reader.keys | model.keys | self._keys | model._keys
"""Retrieval reader. After a warmup the key encoder is refreshed only every `refresh` steps, to be faster."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F


class Reader(nn.Module):
    def __init__(self, n_docs=200, d=64, warmup=20, refresh=10):
        super().__init__()
        self.register_buffer("docs", torch.randn(n_docs, 32))
        self.query = nn.Sequential(nn.Linear(32, d), nn.ReLU(), nn.Linear(d, d))
        self.key = nn.Sequential(nn.Linear(32, d), nn.ReLU(), nn.Linear(d, d))
        self.value = nn.Linear(32, d)
        self.head = nn.Linear(d, 6)
        self.warmup, self.refresh = warmup, refresh
        self._keys = None

    def keys(self, step):
        if step < self.warmup or (step - self.warmup) % self.refresh == 0:
            self._keys = self.key(self.docs)  # <- culprit
        return self._keys  # <- culprit

    def forward(self, x, step):
        scores = self.query(x) @ self.keys(step).t() / 8  # <- culprit
        return self.head(F.softmax(scores, -1) @ self.value(self.docs))


def main(argv=None):
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=120)
    ap.add_argument("--lr", type=float, default=1e-3)
    a = ap.parse_args(argv)
    torch.manual_seed(0)
    model = Reader()
    opt = torch.optim.Adam(model.parameters(), lr=a.lr)
    for step in range(a.steps):
        x = torch.randn(64, 32)
        loss = F.cross_entropy(model(x, step), x[:, :6].argmax(1))
        opt.zero_grad()
        loss.backward()  # <- culprit
        opt.step()
        if step % 10 == 0:
            print(step, round(loss.item(), 4))


main()
