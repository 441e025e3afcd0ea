# gradwatch-corpus: kind=graph-held
# holder: notebook_log.pending | self.pending
# first-bad: 1
# Distil the hospital's expert triage rule into a small network; log lines are formatted after training.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(66)

N_SIGNS = 18
N_LEVELS = 5
TEMPERATURE = 2.5
ALPHA = 0.6


def mlp(sizes, act=nn.GELU):
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers.append(nn.Linear(a, b))
        layers.append(act())
    return nn.Sequential(*layers[:-1])


class NotebookLog:
    def __init__(self):
        self.pending = []

    def later(self, fmt):
        self.pending.append(fmt)  # <- culprit

    def render(self, every=20):
        return [fmt() for fmt in self.pending[::every]]


class EmergencyRoom:
    def __init__(self):
        self.rule = torch.randn(N_SIGNS, N_LEVELS)

    def arrivals(self, n):
        x = torch.randn(n, N_SIGNS)
        y = (x @ self.rule + 0.5 * torch.randn(n, N_LEVELS)).argmax(1)
        return x, y


def kd_loss(student_logits, teacher_logits, t):
    p = F.log_softmax(student_logits / t, 1)
    q = F.softmax(teacher_logits / t, 1)
    return F.kl_div(p, q, reduction="batchmean") * t * t


def load_teacher(er):
    expert = nn.Linear(N_SIGNS, N_LEVELS, bias=False)
    with torch.no_grad():
        expert.weight.copy_(er.rule.t() + 0.05 * torch.randn(N_LEVELS, N_SIGNS))
    return expert.requires_grad_(False).eval()


def distil(student, teacher, er, notebook_log, steps=130):
    opt = torch.optim.SGD(student.parameters(), lr=0.1, momentum=0.9)
    for step in range(steps):
        x, y = er.arrivals(64)
        logits = student(x)
        hard = F.cross_entropy(logits, y)
        soft = kd_loss(logits, teacher(x), TEMPERATURE)
        loss = ALPHA * soft + (1 - ALPHA) * hard
        opt.zero_grad()
        loss.backward()
        opt.step()
        acc = (logits.argmax(1) == y).float().mean().item()
        notebook_log.later(lambda s=step, h=hard, k=soft, a=acc: f"step {s:3d} ce={h:.3f} kd={k:.3f} acc={a:.2f}")  # <- culprit
    return student


er = EmergencyRoom()
teacher = load_teacher(er)
notebook_log = NotebookLog()
student = distil(mlp([N_SIGNS, 24, N_LEVELS]), teacher, er, notebook_log)

for line in notebook_log.render():
    print(line)
x, y = er.arrivals(2000)
with torch.no_grad():
    print(f"teacher {(teacher(x).argmax(1) == y).float().mean():.3f} student {(student(x).argmax(1) == y).float().mean():.3f}")
