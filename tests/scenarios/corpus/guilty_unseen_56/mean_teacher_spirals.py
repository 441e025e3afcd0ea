# gradwatch-corpus: kind=graph-chain
# holder: self.shadow | teacher.shadow | self.shadow[name] | self.teacher.shadow | trainer.teacher.shadow
# first-bad: 1
"""Semi-supervised mean teacher; the teacher is a functional copy of the student."""
import math

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call


class Student(nn.Module):
    def __init__(self, n_out=3):
        super().__init__()
        self.l1 = nn.Linear(2, 48)
        self.l2 = nn.Linear(48, 48)
        self.out = nn.Linear(48, n_out)

    def forward(self, x):
        return self.out(torch.tanh(self.l2(torch.tanh(self.l1(x)))))


class MeanTeacher:
    def __init__(self, student, decay):
        self.student = student
        self.decay = decay
        self.shadow = {name: p.detach().clone() for name, p in student.named_parameters()}

    def absorb(self):
        for name, p in self.student.named_parameters():
            self.shadow[name] = torch.lerp(self.shadow[name], p, 1 - self.decay)  # <- culprit

    def __call__(self, x):
        return functional_call(self.student, self.shadow, (x,))


def spirals(n, arms=3):
    y = torch.randint(arms, (n,))
    r = torch.rand(n)
    t = 4 * r + 2 * math.pi * y / arms + 0.15 * torch.randn(n)
    return torch.stack([r * t.cos(), r * t.sin()], 1), y


def rampup(step, length=50):
    x = min(step / length, 1.0)
    return math.exp(-5 * (1 - x) ** 2)


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = Student()
        self.teacher = MeanTeacher(self.model, cfg["decay"])
        self.opt = torch.optim.Adam(self.model.parameters(), lr=cfg["lr"])
        self.xl, self.yl = spirals(cfg["labelled"])
        self.xu, _ = spirals(1000)
        self.xt, self.yt = spirals(500)

    def consistency(self, x):
        noisy = x + 0.02 * torch.randn_like(x)
        soft = self.teacher(x).softmax(-1)
        return F.mse_loss(self.model(noisy).softmax(-1), soft)

    def step(self, i):
        xb = self.xu[torch.randint(len(self.xu), (self.cfg["batch"],))]
        sup = F.cross_entropy(self.model(self.xl), self.yl)
        loss = sup + self.cfg["weight"] * rampup(i) * self.consistency(xb)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.teacher.absorb()
        return loss.item()

    def score(self):
        with torch.no_grad():
            s = (self.model(self.xt).argmax(-1) == self.yt).float().mean().item()
            t = (self.teacher(self.xt).argmax(-1) == self.yt).float().mean().item()
        return s, t


if __name__ == "__main__":
    torch.manual_seed(9)
    torch.set_num_threads(1)
    trainer = Trainer(dict(decay=0.97, lr=3e-3, labelled=60, batch=128, weight=5.0))
    for i in range(160):
        value = trainer.step(i)
        if i % 40 == 0:
            print(i, round(value, 4), trainer.score())
