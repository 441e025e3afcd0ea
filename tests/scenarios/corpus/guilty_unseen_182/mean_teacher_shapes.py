# gradwatch-corpus: kind=graph-chain
# holder: self.shadow[name] | self.shadow | teacher.shadow
# first-bad: 1
"""Semi-supervised shape classification with a mean teacher (thesis, ch. 4)."""
import argparse
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call


def make_shapes(n, size, gen):
    ys = torch.linspace(-1, 1, size)
    yy, xx = torch.meshgrid(ys, ys, indexing="ij")
    labels = torch.randint(0, 3, (n,), generator=gen)
    centre = torch.rand(n, 2, generator=gen) * 0.6 - 0.3
    dx = xx[None] - centre[:, 0, None, None]
    dy = yy[None] - centre[:, 1, None, None]
    disc = (dx ** 2 + dy ** 2 < 0.2).float()
    square = ((dx.abs() < 0.4) & (dy.abs() < 0.4)).float()
    cross = ((dx.abs() < 0.12) | (dy.abs() < 0.12)).float()
    stack = torch.stack([disc, square, cross], 1)
    img = stack[torch.arange(n), labels].unsqueeze(1)
    return img + 0.2 * torch.randn(img.shape, generator=gen), labels


class SmallConv(nn.Module):
    def __init__(self, classes=3):
        super().__init__()
        self.c1 = nn.Conv2d(1, 8, 3, stride=2, padding=1)
        self.c2 = nn.Conv2d(8, 16, 3, stride=2, padding=1)
        self.fc = nn.Linear(16, classes)

    def forward(self, x):
        x = F.relu(self.c1(x))
        x = F.relu(self.c2(x))
        return self.fc(x.mean(dim=(2, 3)))


class MeanTeacher:
    def __init__(self, student, decay=0.98):
        self.student = student
        self.decay = decay
        self.shadow = {n: p.detach().clone() for n, p in student.named_parameters()}

    def update(self):
        for name, p in self.student.named_parameters():
            self.shadow[name] = torch.lerp(self.shadow[name], p, 1.0 - self.decay)  # <- culprit

    def __call__(self, x):
        return functional_call(self.student, self.shadow, (x,))


def ramp_up(step, length=80):
    if step >= length:
        return 1.0
    return math.exp(-5.0 * (1.0 - step / length) ** 2)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=450)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--cons", type=float, default=2.0)
    args = ap.parse_args()

    torch.manual_seed(11)
    gen = torch.Generator().manual_seed(11)
    x_lab, y_lab = make_shapes(60, 16, gen)
    x_unl, _ = make_shapes(512, 16, gen)

    student = SmallConv()
    teacher = MeanTeacher(student)
    opt = torch.optim.Adam(student.parameters(), lr=args.lr)

    for step in range(args.steps):
        li = torch.randint(0, 60, (16,), generator=gen)
        ui = torch.randint(0, 512, (32,), generator=gen)
        u = x_unl[ui]
        sup = F.cross_entropy(student(x_lab[li]), y_lab[li])
        p_s = F.softmax(student(u + 0.1 * torch.randn_like(u)), dim=1)
        p_t = F.softmax(teacher(u + 0.1 * torch.randn_like(u)), dim=1)
        cons = F.mse_loss(p_s, p_t)
        loss = sup + args.cons * ramp_up(step) * cons

        opt.zero_grad()
        loss.backward()
        opt.step()
        teacher.update()

        if step % 50 == 0:
            print(f"step {step:4d}  sup {sup.item():.4f}  cons {cons.item():.5f}")


if __name__ == "__main__":
    main()
