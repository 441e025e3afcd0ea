# gradwatch-corpus: kind=graph-chain
# holder: self.shadow[k] | self.shadow | teacher.shadow
# first-bad: 1
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

from ema import MeanTeacher

CONFIG = dict(steps=420, labeled=40, batch=32, lr=3e-3, ramp=150, max_weight=5.0)


def two_moons(n, g):
    t = math.pi * torch.rand(n, generator=g)
    y = torch.randint(0, 2, (n,), generator=g)
    x = torch.where(y[:, None] == 0,
                    torch.stack([t.cos(), t.sin()], 1),
                    torch.stack([1 - t.cos(), 0.5 - t.sin()], 1))
    return x + 0.1 * torch.randn(n, 2, generator=g), y


def rampup(step, length):
    p = 1 - min(step, length) / length
    return math.exp(-5 * p * p)


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(2, 32)
        self.fc2 = nn.Linear(32, 32)
        self.out = nn.Linear(32, 2)

    def forward(self, x):
        x = F.relu(self.fc1(x))
        return self.out(F.relu(self.fc2(x)))


def jitter(x):
    return x + 0.05 * torch.randn_like(x)


def main():
    torch.manual_seed(1)
    g = torch.Generator().manual_seed(1)
    x, y = two_moons(1000, g)
    xl, yl = x[:CONFIG["labeled"]], y[:CONFIG["labeled"]]
    student = Mlp()
    teacher = MeanTeacher(student, decay=0.98)
    opt = torch.optim.Adam(student.parameters(), lr=CONFIG["lr"])
    for step in range(CONFIG["steps"]):
        li = torch.randint(0, len(xl), (CONFIG["batch"],))
        ui = torch.randint(0, len(x), (CONFIG["batch"],))
        sup = F.cross_entropy(student(jitter(xl[li])), yl[li])
        student_p = F.softmax(student(jitter(x[ui])), 1)
        teacher_p = F.softmax(teacher(jitter(x[ui])), 1)
        consistency = F.mse_loss(student_p, teacher_p)
        loss = sup + CONFIG["max_weight"] * rampup(step, CONFIG["ramp"]) * consistency
        opt.zero_grad()
        loss.backward()
        opt.step()
        teacher.update()
        if step % 70 == 0:
            with torch.no_grad():
                acc = (teacher(x).argmax(1) == y).float().mean().item()
            print(f"{step:4d} sup {sup.item():.3f} cons {consistency.item():.4f} teacher acc {acc:.3f}")


if __name__ == "__main__":
    main()
