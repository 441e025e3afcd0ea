# gradwatch-corpus: kind=crashed
# holder: stacked | vec | total
# first-bad: 0
# notice: 0
"""Single-shot detector on 1-D signals: box, objectness and class terms, weighted in a bag."""
from dataclasses import dataclass, field
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(64)


@dataclass
class LossBag:
    weights: dict
    terms: dict = field(default_factory=dict)

    def add(self, name, value):
        if name not in self.weights:
            raise KeyError(name)
        self.terms[name] = value

    def reduce(self):
        vec = torch.tensor([self.terms[k] for k in self.weights])  # <- culprit
        w = torch.tensor(list(self.weights.values()))
        self.terms.clear()
        return (vec * w).sum()


class SSD1d(nn.Module):
    def __init__(self, n_cls=3):
        super().__init__()
        self.body = nn.Sequential(nn.Conv1d(1, 8, 5, 2, 2), nn.ReLU(), nn.Conv1d(8, 8, 5, 2, 2), nn.ReLU())
        self.pred = nn.Conv1d(8, 2 + 1 + n_cls, 1)

    def forward(self, x):
        p = self.pred(self.body(x))
        return p[:, :2], p[:, 2], p[:, 3:]


def scene(n=6, L=32):
    x, cell = 0.1 * torch.randn(n, 1, L), torch.randint(0, 8, (n,))
    cls = torch.randint(0, 3, (n,))
    for i in range(n):
        x[i, 0, cell[i] * 4: cell[i] * 4 + 3] += cls[i] + 1
    return x, cell, cls


net, bag = SSD1d(), LossBag({"box": 2.0, "obj": 1.0, "cls": 0.5})
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for it in range(200):
    x, cell, cls = scene()
    box, obj, logit = net(x)
    rows = torch.arange(len(x))
    bag.add("box", F.smooth_l1_loss(box[rows, :, cell], torch.full((len(x), 2), 0.4)))
    bag.add("obj", F.binary_cross_entropy_with_logits(obj, F.one_hot(cell, 8).float()))
    bag.add("cls", F.cross_entropy(logit[rows, :, cell], cls))
    total = bag.reduce()
    opt.zero_grad()
    total.backward()
    opt.step()
