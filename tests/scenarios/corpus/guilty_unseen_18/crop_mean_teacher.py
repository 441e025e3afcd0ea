# gradwatch-corpus: kind=graph-chain
# holder: self.weights | teacher.weights | self.weights[name] | teacher.weights[name] | self.teacher.weights | target
# first-bad: 1
"""Semi-supervised crop type mapping from per-parcel NDVI/EVI curves: few labelled parcels, many unlabelled ones,
and a mean teacher whose agreement with the student is ramped up."""
import math
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call

CROPS = ("wheat", "maize", "rapeseed", "sugar beet", "meadow")
DATES, BANDS = 24, 2


def phenology(gen, labels):
    """Double-logistic curves, one family for each crop."""
    t = torch.linspace(0, 1, DATES)
    n = labels.shape[0]
    green_up = 0.15 + 0.09 * labels + 0.04 * torch.randn(n, generator=gen)
    season = 0.30 + 0.05 * ((labels * 2) % 5) + 0.03 * torch.randn(n, generator=gen)
    rise = torch.sigmoid(25 * (t - green_up[:, None]))
    fall = torch.sigmoid(-25 * (t - (green_up + season)[:, None]))
    ndvi = 0.2 + 0.6 * rise * fall
    evi = 0.7 * ndvi + 0.05 * torch.sin(6 * math.pi * t)
    return torch.stack([ndvi, evi], dim=1)


def augment(gen, x, cloud=0.15):
    keep = (torch.rand(x.shape[0], 1, DATES, generator=gen) > cloud).float()
    return (x + 0.08 * torch.randn(x.shape, generator=gen)) * keep


class Parcels:
    def __init__(self, n_labelled, n_unlabelled, seed=13):
        self.gen = torch.Generator().manual_seed(seed)
        self.sizes = n_labelled, n_unlabelled
        self.fixed = torch.randint(0, len(CROPS), (60,), generator=self.gen)

    def batches(self):
        n_lab, n_unl = self.sizes
        while True:
            y = self.fixed[torch.randint(0, len(self.fixed), (n_lab,), generator=self.gen)]
            z = torch.randint(0, len(CROPS), (n_unl,), generator=self.gen)
            yield phenology(self.gen, y), y, phenology(self.gen, z)


def build_student():
    return nn.Sequential(
        nn.Conv1d(BANDS, 24, 5, padding=2), nn.ReLU(),
        nn.Conv1d(24, 24, 5, padding=2, stride=2), nn.ReLU(),
        nn.Flatten(), nn.Linear(24 * DATES // 2, 48), nn.ReLU(), nn.Linear(48, len(CROPS)),
    )


class MeanTeacher:
    """Exponential average of a module's weights, callable like the module."""

    def __init__(self, module, decay=0.98):
        self.module = module
        self.decay = decay
        self.weights = {n: p.detach().clone() for n, p in module.named_parameters()}

    def __call__(self, x):
        return functional_call(self.module, self.weights, (x,))

    def update(self):
        rate = 1.0 - self.decay
        for name, p in self.module.named_parameters():
            self.weights[name] = torch.lerp(self.weights[name], p, rate)  # <- culprit


def sigmoid_rampup(step, length):
    z = min(step, length) / length
    return math.exp(-5 * (1 - z) ** 2)


def consistency(teacher, gen, x, student_logits):
    target = F.softmax(teacher(augment(gen, x)), dim=1)  # <- culprit
    return F.mse_loss(F.softmax(student_logits, dim=1), target)


def train(steps=220):
    torch.manual_seed(6)
    data = Parcels(n_labelled=24, n_unlabelled=72)
    student = build_student()
    teacher = MeanTeacher(student)
    optimizer = torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9, nesterov=True)
    agree = partial(consistency, teacher, data.gen)
    for step, (x, y, u) in zip(range(steps), data.batches()):
        view = augment(data.gen, torch.cat([x, u]))
        logits = student(view)
        supervised = F.cross_entropy(logits[: len(y)], y)
        loss = supervised + 4.0 * sigmoid_rampup(step, 80) * agree(u, logits[len(y):])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        teacher.update()
        if step % 55 == 54:
            with torch.no_grad():
                acc = (teacher(x).argmax(1) == y).float().mean().item()
            print(f"step {step + 1:4d} supervised {supervised.item():.4f} total {loss.item():.4f} teacher acc {acc:.2f}")


if __name__ == "__main__":
    train()
