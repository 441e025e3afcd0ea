# gradwatch-corpus: kind=graph-chain
# holder: self.weights | teacher.weights
# first-bad: 1
import argparse

import torch
import torch.nn.functional as F

from .data import TwoMoons
from .nets import MLP
from .teacher import MeanTeacher


def get_args():
    ap = argparse.ArgumentParser("mean teacher on two moons")
    ap.add_argument("--steps", type=int, default=90)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--decay", type=float, default=0.97)
    ap.add_argument("--w-max", type=float, default=2.0)
    ap.add_argument("--seed", type=int, default=0)
    return ap.parse_args()


def rampup(step, length=40):
    t = min(1.0, step / length)
    return float(torch.exp(torch.tensor(-5.0 * (1 - t) ** 2)))


def accuracy(fn, x, y):
    with torch.no_grad():
        return (fn(x).argmax(1) == y).float().mean().item()


def fit(args):
    torch.manual_seed(args.seed)
    data = TwoMoons(n_labeled=12, n_unlabeled=600)
    student = MLP(width=32)
    teacher = MeanTeacher(student, decay=args.decay)
    optimizer = torch.optim.Adam(student.parameters(), lr=args.lr)

    for step in range(args.steps):
        teacher.update(student, step)

        xl, yl = data.labeled()
        xu = data.unlabeled(64)
        sup = F.cross_entropy(student(xl), yl)
        p_student = student(xu + 0.1 * torch.randn_like(xu)).softmax(1)
        p_teacher = teacher(xu + 0.1 * torch.randn_like(xu)).softmax(1)
        cons = F.mse_loss(p_student, p_teacher)
        loss = sup + args.w_max * rampup(step) * cons

        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

        if step % 15 == 0 or step == args.steps - 1:
            xt, yt = data.test()
            print(f"step {step:3d}  sup {sup.item():.3f}  cons {cons.item():.5f}  "
                  f"acc student {accuracy(student, xt, yt):.3f}  teacher {accuracy(teacher, xt, yt):.3f}")


if __name__ == "__main__":
    fit(get_args())
