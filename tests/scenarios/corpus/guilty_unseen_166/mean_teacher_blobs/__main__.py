# gradwatch-corpus: kind=graph-chain
# holder: self.weights | teacher.weights | self.weights[name]
# first-bad: 1
import argparse
import os
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F

from .data import batches, moons
from .teacher import MeanTeacher

torch.set_num_threads(1)


def build(hidden):
    return nn.Sequential(nn.Linear(2, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(),
                         nn.Linear(hidden, 2))


def evaluate(fn, x, y):
    with torch.no_grad():
        return (fn(x).argmax(1) == y).float().mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=120)
    ap.add_argument("--hidden", type=int, default=24)
    ap.add_argument("--lr", type=float, default=5e-3)
    ap.add_argument("--consistency", type=float, default=2.0)
    args = ap.parse_args()
    torch.manual_seed(11)
    x, y = moons(600, 0.15, 0)
    xv, yv = moons(300, 0.15, 1)
    student = build(args.hidden)
    teacher = MeanTeacher(student, decay=0.97)
    opt = torch.optim.Adam(student.parameters(), lr=args.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.steps)
    best, path = 0.0, os.path.join(tempfile.mkdtemp(), "teacher.pt")
    for step, (xl, yl, xu) in enumerate(batches(x, y, 40, 64, args.steps, 5)):
        noisy = xu + 0.1 * torch.randn_like(xu)
        p_student = F.softmax(student(xu), 1)
        p_teacher = F.softmax(teacher(noisy), 1)
        sup = F.cross_entropy(student(xl), yl)
        cons = F.mse_loss(p_student, p_teacher)
        loss = sup + teacher.ramp(args.consistency) * cons
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        teacher.update()
        if step % 20 == 0:
            acc = evaluate(teacher, xv, yv)
            print(f"{step:4d} sup {sup.item():.3f} cons {cons.item():.4f} "
                  f"student {evaluate(student, xv, yv):.3f} teacher {acc:.3f}")
            if acc > best:
                best = acc
                torch.save(teacher.weights, path)
    print("best teacher", round(best, 3))


if __name__ == "__main__":
    main()
