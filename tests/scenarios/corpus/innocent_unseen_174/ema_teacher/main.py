# gradwatch-corpus: kind=none
"""Mean-teacher semi-supervised training with a choice of shadow updates."""
import argparse

import torch
from torch.nn import functional as F

from shadow import SHADOWS
from student import Blobs, Student


class MeanTeacher:
    def __init__(self, kinds, decay=0.97, weight=0.5, lr=2e-3):
        self.student = Student()
        self.shadows = {k: SHADOWS[k](self.student, decay) for k in kinds}
        self.weight = weight
        self.opt = torch.optim.Adam(self.student.parameters(), lr=lr)
        self.consistency = 0.0

    def teacher_view(self, x):
        views = [s(x + 0.1 * torch.randn_like(x)) for s in self.shadows.values()]
        return torch.stack(views).mean(0).softmax(-1).detach()

    def step(self, x, y, plain):
        supervised = F.cross_entropy(self.student(x), y)
        target = self.teacher_view(plain)
        cons = F.mse_loss(self.student(plain + 0.1 * torch.randn_like(plain)).softmax(-1), target)
        loss = supervised + self.weight * cons
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        for s in self.shadows.values():
            s.pull()
        self.consistency = 0.95 * self.consistency + 0.05 * cons.detach()
        return loss.item()

    @torch.no_grad()
    def accuracy(self, x, y):
        return {k: (s(x).argmax(-1) == y).float().mean().item() for k, s in self.shadows.items()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=500)
    args = parser.parse_args()
    torch.manual_seed(23)
    data = Blobs(seed=23)
    job = MeanTeacher(["data", "foreach", "state"])
    held_out = data.draw(200)
    for i in range(args.steps):
        value = job.step(*data.step())
        if i % 100 == 99:
            print(i + 1, f"{value:.4f}", f"{float(job.consistency):.5f}", job.accuracy(*held_out))


if __name__ == "__main__":
    main()
