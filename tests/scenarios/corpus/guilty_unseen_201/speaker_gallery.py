# gradwatch-corpus: kind=graph-held
# holder: self.snapshots[step] | self.snapshots | gallery.snapshots
# also: graph-unused
# first-bad: 1
from dataclasses import dataclass, field
from typing import Dict

import torch
from torch import Tensor, nn
from torch.nn import functional as F


@dataclass
class Gallery:
    speakers: int
    snapshots: Dict[int, Dict[str, Tensor]] = field(default_factory=dict)

    def record(self, step, emb, labels):
        means = {}
        for s in labels.unique().tolist():
            means[f"spk{s:02d}"] = F.normalize(emb[labels == s].mean(0), dim=0)
        self.snapshots[step] = means  # <- culprit

    def drift(self, a, b):
        common = self.snapshots[a].keys() & self.snapshots[b].keys()
        cos = [float(self.snapshots[a][k] @ self.snapshots[b][k]) for k in common]
        return sum(cos) / max(1, len(cos))


class XVector(nn.Module):
    def __init__(self, feats=14, dim=20):
        super().__init__()
        self.frame = nn.Sequential(nn.Conv1d(feats, 24, 3), nn.ReLU(), nn.Conv1d(24, 24, 3, dilation=2), nn.ReLU())
        self.segment = nn.Linear(48, dim)

    def forward(self, x):
        h = self.frame(x)
        return self.segment(torch.cat([h.mean(2), h.std(2)], 1))


class AMSoftmax(nn.Module):
    def __init__(self, dim, n, m=0.1, s=12.0):
        super().__init__()
        self.w = nn.Parameter(torch.randn(n, dim))
        self.m, self.s = m, s

    def forward(self, emb, y):
        cos = F.normalize(emb, dim=1) @ F.normalize(self.w, dim=1).t()
        return F.cross_entropy(self.s * (cos - self.m * F.one_hot(y, len(self.w))), y)


class Task:
    def __init__(self, speakers):
        self.voices = torch.randn(speakers, 14, 1)

    def batch(self, n):
        y = torch.randint(0, len(self.voices), (n,))
        return self.voices[y] + 1.5 * torch.randn(n, 14, 24), y


def main():
    torch.manual_seed(63)
    task = Task(10)
    net, head = XVector(), AMSoftmax(20, 10)
    gallery = Gallery(10)
    opt = torch.optim.SGD([*net.parameters(), *head.parameters()], lr=0.05, momentum=0.9)
    for step in range(450):
        x, y = task.batch(24)
        emb = net(x)
        loss = head(emb, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        gallery.record(step, emb, y)
        if step and step % 75 == 0:
            print(f"{step} loss {loss.item():.4f} drift {gallery.drift(step - 75, step):.3f}")


if __name__ == "__main__":
    main()
