# gradwatch-corpus: kind=none
import contextlib

import torch
from torch import nn
from torch.nn import functional as F


class Tap:
    def __init__(self):
        self.features = {}
        self._handles = []

    def _hook(self, name):
        def keep(module, inputs, output):
            self.features[name] = output
        return keep

    @contextlib.contextmanager
    def on(self, model, names):
        modules = dict(model.named_modules())
        self._handles = [modules[n].register_forward_hook(self._hook(n)) for n in names]
        try:
            yield self.features
        finally:
            while self._handles:
                self._handles.pop().remove()


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.fc = nn.Linear(dim, dim)

    def forward(self, x):
        return x + torch.relu(self.fc(self.norm(x)))


def network(depth, dim=16, classes=4):
    return nn.Sequential(*[Block(dim) for _ in range(depth)], nn.Linear(dim, classes))


class Distiller:
    def __init__(self, teacher, student, layers):
        self.teacher = teacher.eval().requires_grad_(False)
        self.student = student
        self.layers = dict(layers)
        self.taps = {"teacher": Tap(), "student": Tap()}
        self.opt = torch.optim.Adam(student.parameters(), lr=2e-3)
        self.grad_norms = []
        self.student[-1].weight.register_hook(self._watch)

    def _watch(self, grad):
        self.grad_norms.append(grad.norm().item())

    def match(self, ours, theirs):
        return sum(F.mse_loss(ours[s], theirs[t]) for t, s in self.layers.items())

    def loss(self, x):
        with self.taps["teacher"].on(self.teacher, self.layers.keys()) as theirs:
            target = self.teacher(x).softmax(1)
        with self.taps["student"].on(self.student, self.layers.values()) as ours:
            logits = self.student(x)
        return F.cross_entropy(logits, target) + 0.3 * self.match(ours, theirs)

    def step(self, x):
        loss = self.loss(x)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


def main():
    torch.manual_seed(27)
    distiller = Distiller(network(4), network(2), [("1", "0"), ("3", "1")])
    curve = []
    for step in range(420):
        curve.append(distiller.step(torch.randn(24, 16)))
        if step % 105 == 0:
            print(step, round(curve[-1], 4), round(distiller.grad_norms[-1], 4))


if __name__ == "__main__":
    main()
