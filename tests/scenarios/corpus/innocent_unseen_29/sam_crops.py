# gradwatch-corpus: kind=none
"""Crop-yield classes with a sharpness-aware update.  The gradient at the first
point is kept as plain tensors and mixed into the second step."""
from collections import deque

import torch
import torch.nn as nn


class FieldData:
    def __init__(self, n=600, bands=9, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.y = torch.randint(3, (n,), generator=g)
        self.x = torch.randn(3, bands, generator=g)[self.y] + torch.randn(n, bands, generator=g)
        self.g = g

    def batch(self, k):
        i = torch.randint(len(self.y), (k,), generator=self.g)
        return self.x[i], self.y[i]


class SharpnessAware:
    def __init__(self, model, base, rho=0.05, mix=0.3):
        self.model, self.base, self.rho, self.mix = model, base, rho, mix
        self.first = []

    def _params(self):
        return [p for p in self.model.parameters() if p.requires_grad]

    def ascend(self):
        self.first = [p.grad.clone().detach() for p in self._params()]
        norm = torch.stack([g.norm() for g in self.first]).norm() + 1e-12
        with torch.no_grad():
            for p, g in zip(self._params(), self.first):
                p.add_(g, alpha=(self.rho / norm).item())
        self.base.zero_grad()
        return norm.item()

    def descend(self, norm):
        with torch.no_grad():
            for p, g in zip(self._params(), self.first):
                p.sub_(g, alpha=self.rho / norm)
                p.grad.mul_(1 - self.mix).add_(g, alpha=self.mix)
        self.base.step()
        self.base.zero_grad()


def main():
    torch.manual_seed(0)
    fields = FieldData()
    model = nn.Sequential(nn.Linear(9, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 3))
    loss_fn = nn.CrossEntropyLoss(label_smoothing=0.05)
    sam = SharpnessAware(model, torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9))
    sharpness = deque(maxlen=50)
    for step in range(200):
        x, y = fields.batch(32)
        loss = loss_fn(model(x), y)
        loss.backward()
        norm = sam.ascend()
        loss_up = loss_fn(model(x), y)
        loss_up.backward()
        sam.descend(norm)
        sharpness.append(loss_up.item() - loss.item())
        if step % 50 == 0:
            print(step, "loss %.4f" % loss.item(), "sharpness %.4f" % (sum(sharpness) / len(sharpness)))


if __name__ == "__main__":
    main()
