# gradwatch-corpus: kind=graph-chain
# holder: self.shadow | avg.shadow | anchor.shadow | self.shadow[n]
# first-bad: 1
# notice: 5
"""Continual learning: a proximal pull of the weights to their own moving average."""
import torch
from torch import nn

torch.set_num_threads(1)


class MovingAnchor:
    def __init__(self, model, decay):
        self.model, self.decay = model, decay
        self.shadow = {n: p.detach().clone() for n, p in model.named_parameters()}

    def update(self):
        for n, p in self.model.named_parameters():
            self.shadow[n] = torch.lerp(self.shadow[n], p, 1 - self.decay)  # <- culprit

    def penalty(self):
        return sum((p - self.shadow[n]).pow(2).sum() for n, p in self.model.named_parameters())


def task(k, g):
    ang = torch.tensor(0.4 * k)
    R = torch.tensor([[ang.cos(), -ang.sin()], [ang.sin(), ang.cos()]])
    x = torch.randn(24, 2, generator=g)
    return x, ((x @ R)[:, 0] > 0).long()


torch.manual_seed(42)
g = torch.Generator().manual_seed(43)
clf = nn.Sequential(nn.Linear(2, 12), nn.Mish(), nn.Linear(12, 2))
anchor = MovingAnchor(clf, decay=0.98)
opt = torch.optim.SGD(clf.parameters(), lr=0.05)
for k in range(4):
    for it in range(60):
        x, y = task(k, g)
        loss = nn.functional.cross_entropy(clf(x), y) + 0.1 * anchor.penalty()
        opt.zero_grad()
        loss.backward()
        opt.step()
        anchor.update()
    print(k, f"{loss.item():.3f}")
