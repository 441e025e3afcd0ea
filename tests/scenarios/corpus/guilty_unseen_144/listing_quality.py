# gradwatch-corpus: kind=crashed
# holder: bundle.total
# first-bad: 0
# notice: 0
from dataclasses import dataclass, field
from typing import Dict

import torch

torch.set_num_threads(1)
from torch import nn

torch.manual_seed(27)


@dataclass
class LossBundle:
    weights: Dict[str, float]
    parts: Dict[str, torch.Tensor] = field(default_factory=dict)

    def add(self, name, value):
        self.parts[name] = value
        return self

    @property
    def total(self):
        vals = torch.tensor([float(self.parts[k]) for k in self.weights])  # <- culprit
        return (vals * torch.tensor(list(self.weights.values()))).sum()

    def summary(self):
        return {k: round(float(v), 4) for k, v in self.parts.items()}


class ListingNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.EmbeddingBag(60, 10)
        self.stars = nn.Linear(10, 1)
        self.flag = nn.Linear(10, 2)

    def forward(self, w):
        h = torch.tanh(self.words(w))
        return self.stars(h).squeeze(1), self.flag(h)


def objective(net, batch):
    words, stars, flag = batch
    s, f = net(words)
    return (LossBundle({"stars": 1.0, "flag": 0.3})
            .add("stars", nn.functional.mse_loss(s, stars))
            .add("flag", nn.functional.cross_entropy(f, flag)))


def batches(n):
    for _ in range(n):
        w = torch.randint(0, 60, (16, 6))
        yield w, w.float().mean(1) / 12, (w.min(1).values < 6).long()


net = ListingNet()
opt = torch.optim.Adam(net.parameters(), 1e-2)
for batch in batches(300):
    bundle = objective(net, batch)
    opt.zero_grad()
    bundle.total.backward()
    opt.step()
print(bundle.summary())
