import torch
from torch import nn


class Trainer:
    def __init__(self, model, observers):
        self.model = model
        self.observers = observers
        self.opt = torch.optim.Adam(model.parameters(), lr=5e-3)
        self.criterion = nn.CrossEntropyLoss()

    def batch(self, n):
        y = torch.randint(0, 4, (n,))
        r = torch.linspace(-1, 1, 24)
        radius = (r[:, None] ** 2 + r[None] ** 2).sqrt()
        rings = torch.sin(radius[None] * (4 + 4 * y[:, None, None]))
        return rings[:, None] + 0.4 * torch.randn(n, 1, 24, 24), y

    def run(self, steps):
        for step in range(steps):
            for o in self.observers:
                o.before(self, step)
            x, y = self.batch(24)
            logits = self.model(x)
            loss = self.criterion(logits, y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            for o in self.observers:
                o.after(self, step, logits, loss)
