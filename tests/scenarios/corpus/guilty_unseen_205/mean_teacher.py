# gradwatch-corpus: kind=graph-unused
# first-bad: 0
"""Mean-teacher consistency training for semi-supervised sensor classification."""
import copy
import math
from types import SimpleNamespace

import torch
import torch.nn as nn
import torch.nn.functional as F


class TCN(nn.Module):
    def __init__(self, channels=6, width=24, classes=4):
        super().__init__()
        layers, c = [], channels
        for d in (1, 2, 4):
            layers += [nn.Conv1d(c, width, 3, padding=d, dilation=d), nn.BatchNorm1d(width), nn.ReLU()]
            c = width
        self.body = nn.Sequential(*layers)
        self.head = nn.Linear(width, classes)

    def forward(self, x):
        return self.head(self.body(x).mean(-1))


class WeightEMA:
    def __init__(self, student, decay=0.99):
        self.student, self.decay = student, decay
        self.model = copy.deepcopy(student)
        self.updates = 0

    @torch.no_grad()
    def update(self):
        self.updates += 1
        d = min(self.decay, (1 + self.updates) / (10 + self.updates))
        for e, p in zip(self.model.state_dict().values(), self.student.state_dict().values()):
            if e.dtype.is_floating_point:
                e.mul_(d).add_(p, alpha=1 - d)
            else:
                e.copy_(p)


def synth_windows(n, classes=4, channels=6, length=32, seed=6):
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(0, classes, (n,), generator=g)
    t = torch.arange(length).float() / length
    freq = 2.0 + 2.0 * y[:, None, None].float() + 0.2 * torch.randn(n, channels, 1, generator=g)
    phase = 6.28 * torch.rand(n, channels, 1, generator=g)
    return torch.sin(6.28 * freq * t + phase) + 0.8 * torch.randn(n, channels, length, generator=g), y


def jitter(x, sigma=0.2):
    scale = 1 + 0.1 * torch.randn(x.size(0), x.size(1), 1)
    return x * scale + sigma * torch.randn_like(x)


def rampup(step, length):
    p = 1.0 - min(step, length) / length
    return math.exp(-5.0 * p * p)


def train(args):
    x, y = synth_windows(1200)
    labelled, unlabelled, test = slice(0, 80), slice(80, 1000), slice(1000, 1200)
    student = TCN()
    teacher = WeightEMA(student, args.ema)
    opt = torch.optim.SGD(student.parameters(), lr=args.lr, momentum=0.9, nesterov=True)
    meters = {"sup": 0.0, "cons": 0.0}
    for step in range(args.steps):
        li = torch.randint(0, 80, (args.batch,))
        ui = torch.randint(80, 1000, (args.batch * 2,))
        batch = torch.cat([x[labelled][li], x[ui]])

        student_logits = student(jitter(batch))
        teacher_logits = teacher.model(jitter(batch))  # <- culprit
        target = teacher_logits.softmax(1).detach()

        sup = F.cross_entropy(student_logits[:args.batch], y[li])
        cons = F.mse_loss(student_logits.softmax(1), target)
        loss = sup + args.weight * rampup(step, args.rampup) * cons
        opt.zero_grad()
        loss.backward()
        opt.step()
        teacher.update()

        meters["sup"] += sup.item()
        meters["cons"] += cons.item()
        if (step + 1) % 100 == 0:
            teacher.model.eval()
            with torch.no_grad():
                acc = (teacher.model(x[test]).argmax(1) == y[test]).float().mean().item()
            teacher.model.train()
            print(f"{step + 1}: sup {meters['sup'] / 100:.4f} cons {meters['cons'] / 100:.5f} teacher acc {acc:.3f}")
            meters = dict.fromkeys(meters, 0.0)


if __name__ == "__main__":
    torch.manual_seed(0)
    train(SimpleNamespace(steps=450, batch=16, lr=0.03, ema=0.99, weight=8.0, rampup=150))
