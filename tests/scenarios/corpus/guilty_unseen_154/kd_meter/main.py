# gradwatch-corpus: kind=graph-held
# holder: self.value | self.meters | log.meters | self.meters[k].value | m.value
# first-bad: 81
# Knowledge distillation (Hinton et al. 2015) on a toy spiral problem.
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

from meters import ProgressLog

torch.manual_seed(3)
torch.set_num_threads(1)


def spirals(n=600, classes=3):
    r = torch.rand(n)
    y = torch.randint(0, classes, (n,))
    t = r * 4 + y * 2 * math.pi / classes
    x = torch.stack([r * torch.sin(t), r * torch.cos(t)], 1)
    return x + 0.02 * torch.randn_like(x), y


def mlp(width, depth):
    layers, d = [], 2
    for _ in range(depth):
        layers += [nn.Linear(d, width), nn.ReLU()]
        d = width
    return nn.Sequential(*layers, nn.Linear(d, 3))


def distill_loss(s, t, T):
    return F.kl_div(F.log_softmax(s / T, 1), F.softmax(t / T, 1), reduction="batchmean") * T * T


def train_teacher(net, x, y, epochs=80):
    opt = torch.optim.Adam(net.parameters(), 5e-3)
    for _ in range(epochs):
        opt.zero_grad()
        F.cross_entropy(net(x), y).backward()
        opt.step()
    net.eval()
    return net


def train_student(student, teacher, x, y, alpha=0.7, T=3.0, iters=160):
    opt = torch.optim.SGD(student.parameters(), 0.1, momentum=0.9)
    log = ProgressLog(["ce", "kd", "total"], every=40)
    for it in range(iters):
        idx = torch.randint(0, len(x), (64,))
        with torch.no_grad():
            soft = teacher(x[idx])
        logits = student(x[idx])
        ce = F.cross_entropy(logits, y[idx])
        kd = distill_loss(logits, soft, T)
        loss = (1 - alpha) * ce + alpha * kd
        opt.zero_grad()
        loss.backward()
        opt.step()
        log.step(it, ce=ce, kd=kd, total=loss)  # <- culprit
    return student


if __name__ == "__main__":
    x, y = spirals()
    teacher = train_teacher(mlp(64, 3), x, y)
    student = train_student(mlp(16, 1), teacher, x, y)
    with torch.no_grad():
        acc = (student(x).argmax(1) == y).float().mean().item()
    print("student acc", acc)
