# gradwatch-corpus: kind=none
"""Every species grows along its own logistic curve: learn a start from which 2 gradient steps suffice."""
from collections import OrderedDict, deque

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call


class Growth(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(1, 32),
            nn.Tanh(),
            nn.Linear(32, 32),
            nn.Tanh(),
            nn.Linear(32, 1),
        )

    def forward(self, day):
        return self.net(day)


class Species:
    def __init__(self):
        self.height = 0.5 + torch.rand(1) * 2
        self.rate = 1 + torch.rand(1) * 3
        self.mid = torch.rand(1) - 0.5

    def measure(self, n):
        day = torch.rand(n, 1) * 4 - 2
        h = self.height * torch.sigmoid(self.rate * (day - self.mid))
        return day, h + 0.02 * torch.randn(n, 1)


class MetaLearner:
    def __init__(self, inner_lr=0.05, inner_steps=2, n_species=3):
        self.model = Growth()
        self.inner_lr = nn.Parameter(torch.tensor(inner_lr))
        self.inner_steps = inner_steps
        self.n_species = n_species
        self.opt = torch.optim.Adam([*self.model.parameters(), self.inner_lr], lr=2e-3)
        self.recent = deque(maxlen=20)
        self.fast = None

    def adapt(self, species):
        fast = OrderedDict(self.model.named_parameters())
        for _ in range(self.inner_steps):
            day, h = species.measure(8)
            loss = F.mse_loss(functional_call(self.model, fast, (day,)), h)
            grads = torch.autograd.grad(loss, fast.values(), create_graph=True)
            fast = OrderedDict(
                (name, w - self.inner_lr * g)
                for (name, w), g in zip(fast.items(), grads)
            )
        return fast

    def step(self):
        meta_loss = 0
        for _ in range(self.n_species):
            species = Species()
            self.fast = self.adapt(species)
            day, h = species.measure(16)
            meta_loss = meta_loss + F.mse_loss(functional_call(self.model, self.fast, (day,)), h)
        meta_loss = meta_loss / self.n_species
        self.opt.zero_grad()
        meta_loss.backward()
        self.opt.step()
        self.fast = None
        self.recent.append(meta_loss.detach())
        return torch.stack(tuple(self.recent)).mean()


if __name__ == "__main__":
    torch.manual_seed(7)
    learner = MetaLearner()
    for i in range(120):
        mean = learner.step()
        if i % 20 == 0:
            print(f"round {i:3d}: meta loss {mean.item():.4f}, inner lr {learner.inner_lr.item():.4f}")
