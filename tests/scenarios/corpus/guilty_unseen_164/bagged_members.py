# gradwatch-corpus: kind=grads-accumulate
# first-bad: 1
"""Bagging: several members trained one after the other, then averaged."""
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(43)


class Member:
    def __init__(self, data, lr=5e-3):
        self.x, self.y = data
        self.net = nn.Sequential(nn.Linear(5, 16), nn.Tanh(), nn.Linear(16, 1))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=lr)
        self.curve = []

    def before_batch(self):
        self.opt.zero_grad()

    def draw(self, size):
        idx = torch.randint(0, len(self.x), (size,))
        return self.x[idx], self.y[idx]

    def weights(self, y):
        return torch.ones_like(y)

    def fit(self, steps, size=32):
        for _ in range(steps):
            self.before_batch()  # <- culprit
            x, y = self.draw(size)
            err = (self.net(x) - y).pow(2)
            loss = (self.weights(y) * err).mean()
            loss.backward()  # <- culprit
            self.opt.step()  # <- culprit
            self.curve.append(loss.item())
        return self


class BootstrapMember(Member):
    def __init__(self, data, share=0.6, **kw):
        super().__init__(data, **kw)
        self.keep = torch.randperm(len(self.x))[: int(share * len(self.x))]

    def before_batch(self):  # <- culprit
        self.pool = self.keep[torch.randint(0, len(self.keep), (len(self.keep),))]  # <- culprit

    def draw(self, size):
        idx = self.pool[:size]
        return self.x[idx], self.y[idx]


class TailMember(BootstrapMember):
    def weights(self, y):
        return 1.0 + (y.abs() > 1.0).float()


class Ensemble:
    def __init__(self, members):
        self.members = members

    def fit(self, steps):
        for i, m in enumerate(self.members):
            m.fit(steps)
            print(f"member {i} {type(m).__name__} first {m.curve[0]:.3f} last {m.curve[-1]:.3f}")

    @torch.no_grad()
    def predict(self, x):
        return torch.stack([m.net(x) for m in self.members]).mean(0)


x = torch.randn(200, 5)
y = torch.sin(x[:, :1]) + 0.5 * x[:, 1:2] * x[:, 2:3]
ensemble = Ensemble([BootstrapMember((x, y)), BootstrapMember((x, y), share=0.8), TailMember((x, y))])
ensemble.fit(30)
print("ensemble mse", F.mse_loss(ensemble.predict(x), y).item())
