# gradwatch-corpus: kind=none
"""Wool grading with conflicting targets: project away the part of a gradient that hurts the other."""
import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(57)


class Grader(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(9, 24), nn.ReLU(), nn.Linear(24, 24), nn.ReLU())
        self.grade = nn.Linear(24, 5)
        self.micron = nn.Linear(24, 1)

    def forward(self, x):
        h = self.trunk(x)
        return self.grade(h), self.micron(h).squeeze(1)


class Surgery:
    def __init__(self, model, opt):
        self.params, self.opt = list(model.parameters()), opt
        self.conflicts = 0

    def _gradient(self, loss, keep):
        self.opt.zero_grad()
        loss.backward(retain_graph=keep)
        return [torch.zeros_like(p) if p.grad is None else p.grad.clone() for p in self.params]

    def step(self, first, second):
        a = self._gradient(first, keep=True)
        b = self._gradient(second, keep=False)
        dot = sum((x * y).sum() for x, y in zip(a, b))
        if dot < 0:
            self.conflicts += 1
            na, nb = (sum((x * x).sum() for x in g) for g in (a, b))
            a, b = [x - dot / nb * y for x, y in zip(a, b)], [y - dot / na * x for x, y in zip(a, b)]
        for p, x, y in zip(self.params, a, b):
            p.grad = x + y
        self.opt.step()


def fleeces(n, size=32):
    mix = torch.randn(9, 5)
    for _ in range(n):
        x = torch.randn(size, 9)
        yield x, (x @ mix).argmax(1), x[:, :3].sum(1) - x[:, 8]


def main():
    model = Grader()
    surgery = Surgery(model, torch.optim.Adam(model.parameters(), lr=3e-3))
    for n, (x, grade, micron) in enumerate(fleeces(100), 1):
        g, m = model(x)
        losses = F.cross_entropy(g, grade), F.mse_loss(m, micron)
        surgery.step(*losses)
        if n % 20 == 0:
            print(n, [round(v.item(), 3) for v in losses], "conflicts", surgery.conflicts)


if __name__ == "__main__":
    main()
