# gradwatch-corpus: kind=second-backward
# holder: self.keys | memory.keys
# first-bad: 4
"""Supervised contrastive embedding of shop articles (SKU pictures boiled down to colour histograms)."""
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F


class RecentKeys:
    def __init__(self, n_batches):
        self.n_batches = n_batches
        self.keys = deque(maxlen=n_batches)
        self.labels = deque(maxlen=n_batches)

    def ready(self):
        return len(self.keys) == self.n_batches

    def push(self, z, y):
        self.keys.append(z)  # <- culprit
        self.labels.append(y)

    def everything(self):
        return torch.cat(list(self.keys)), torch.cat(list(self.labels))


class Encoder(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(d_in, 64), nn.LayerNorm(64), nn.ReLU(), nn.Linear(64, 48), nn.ReLU())
        self.proj = nn.Linear(48, d_out)

    def forward(self, x):
        return F.normalize(self.proj(self.trunk(x)), dim=1)


def supcon(z, y, keys, key_y, temp=0.2):
    sim = z @ keys.t() / temp
    same = (y[:, None] == key_y[None, :]).float()
    logp = sim - torch.logsumexp(sim, dim=1, keepdim=True)
    n = same.sum(1).clamp(min=1)
    return -((same * logp).sum(1) / n).mean()


def histograms(n, centres):
    y = torch.randint(0, len(centres), (n,))
    x = F.softmax(centres[y] + 0.7 * torch.randn(n, centres.shape[1]), dim=1)
    return x * 10, y


def jitter(x):
    return x * (1 + 0.1 * torch.randn_like(x))


def main():
    torch.manual_seed(64)
    centres = torch.randn(15, 32)
    enc = Encoder(32, 16)
    opt = torch.optim.AdamW(enc.parameters(), lr=2e-3)
    memory = RecentKeys(n_batches=4)
    history = {"loss": [], "n_keys": []}

    for it in range(100):
        x, y = histograms(40, centres)
        za = enc(jitter(x))
        zb = enc(jitter(x))
        loss = supcon(za, y, zb, y)
        if memory.ready():
            keys, key_y = memory.everything()  # <- culprit
            loss = loss + 0.5 * supcon(za, y, keys, key_y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        memory.push(zb, y)  # <- culprit
        history["loss"].append(loss.item())
        history["n_keys"].append(sum(len(k) for k in memory.keys))

    for i in range(0, 100, 20):
        print(i, round(sum(history["loss"][i:i + 20]) / 20, 4), history["n_keys"][i])


main()
