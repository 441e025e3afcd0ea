# gradwatch-corpus: kind=graph-held
# holder: self.pending | report.pending
# first-bad: 1
"""Self-distillation on random crops of sequences, two views per round."""
import copy
import sys

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(107)


class Report:
    """Collects view losses and prints them in blocks."""

    def __init__(self, block, out=sys.stdout):
        self.block = block
        self.out = out
        self.pending = []
        self.blocks = 0

    def add(self, name, loss):
        self.pending.append((name, loss))  # <- culprit

    def end_round(self):
        if len(self.pending) == self.block:
            self.flush()

    def flush(self):
        sums = {}
        for name, loss in self.pending:
            sums.setdefault(name, []).append(loss.item())
        line = "  ".join(f"{k} {sum(v) / len(v):.4f}" for k, v in sums.items())
        print(f"block {self.blocks}: {line}", file=self.out)
        self.pending.clear()
        self.blocks += 1


class Student(nn.Module):
    def __init__(self, inputs=6, dim=20, prototypes=12):
        super().__init__()
        self.lift = nn.Linear(inputs, dim)
        self.mix = nn.Linear(dim, dim)
        self.head = nn.Linear(dim, prototypes, bias=False)

    def forward(self, x):
        h = torch.relu(self.lift(x)).mean(1)
        return self.head(F.normalize(torch.relu(self.mix(h)) + h, dim=1))


def crops(x, length):
    start = int(torch.randint(0, x.shape[1] - length + 1, ()))
    return x[:, start:start + length]


def sequences(batch=16, length=30):
    kind = torch.randint(0, 6, (batch,))
    t = torch.linspace(0, 6.28, length)
    wave = torch.sin(t * (kind[:, None] + 1))
    return wave[..., None] * torch.linspace(-1, 1, 6) + 0.2 * torch.randn(batch, length, 6)


@torch.no_grad()
def follow(teacher, student, rate=0.99):
    for a, b in zip(teacher.parameters(), student.parameters()):
        a.mul_(rate).add_(b, alpha=1 - rate)


def main():
    student = Student()
    teacher = copy.deepcopy(student).requires_grad_(False)
    optimizer = torch.optim.AdamW(student.parameters(), lr=2e-3)
    report = Report(block=75)
    centre = torch.zeros(12)
    for step in range(500):
        x = sequences()
        wide, narrow = crops(x, 24), crops(x, 12)
        target = F.softmax((teacher(wide) - centre) / 0.1, dim=1)
        losses = {
            "wide": -(target * F.log_softmax(student(wide) / 0.2, dim=1)).sum(1).mean(),
            "narrow": -(target * F.log_softmax(student(narrow) / 0.2, dim=1)).sum(1).mean(),
        }
        optimizer.zero_grad()
        sum(losses.values()).backward()
        optimizer.step()
        follow(teacher, student)
        centre = 0.9 * centre + 0.1 * teacher(x).mean(0)
        for name, loss in losses.items():
            report.add(name, loss)
        report.end_round()
    print("blocks", report.blocks, "entropy %.3f" % -(target * target.clamp_min(1e-9).log()).sum(1).mean().item())


if __name__ == "__main__":
    main()
