# gradwatch-corpus: kind=second-backward
# holder: self.cache[k] | self.cache | distiller.cache | distiller.cache[k] | distiller.cache[i]
# first-bad: 20
# also: graph-held
"""Knowledge distillation; the teacher's answers are computed once per batch and reused in later epochs."""
import torch
import torch.nn as nn
import torch.nn.functional as F


def mlp(d, h, c):
    return nn.Sequential(nn.Linear(d, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(), nn.Linear(h, c))


class Distiller:
    def __init__(self, teacher, student, T=3.0, alpha=0.7):
        self.teacher, self.student = teacher.eval(), student
        self.T, self.alpha = T, alpha
        self.cache = {}

    def soft_targets(self, k, x):
        if k not in self.cache:
            self.cache[k] = F.softmax(self.teacher(x) / self.T, dim=1)  # <- culprit
        return self.cache[k]

    def loss(self, k, x, y):
        s = self.student(x)
        t = self.soft_targets(k, x)
        kd = F.kl_div(F.log_softmax(s / self.T, 1), t, reduction="batchmean") * self.T ** 2
        return self.alpha * kd + (1 - self.alpha) * F.cross_entropy(s, y)


def main():
    torch.manual_seed(19)
    xs = torch.randn(20, 32, 10)
    ys = (xs[..., 0] > 0).long() + (xs[..., 1] > 0).long()
    distiller = Distiller(mlp(10, 48, 3), mlp(10, 8, 3))
    opt = torch.optim.Adam(distiller.student.parameters(), lr=3e-3)
    for epoch in range(7):
        tot = 0.0
        for i in torch.randperm(20).tolist() if epoch else range(20):
            loss = distiller.loss(i, xs[i], ys[i])
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item()
        print("epoch", epoch, tot / 20)


main()
