# gradwatch-corpus: kind=graph-unused
# first-bad: 0
# notice: 8
"""Shrinks a leaf-disease classifier for a phone: a narrow student follows a deep teacher."""
import argparse

import torch

from kd.data import LeafImages
from kd.nets import make_student, make_teacher
from kd.objective import DistillObjective


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=200)
    p.add_argument("--batch", type=int, default=16)
    p.add_argument("--temperature", type=float, default=3.0)
    p.add_argument("--alpha", type=float, default=0.7)
    p.add_argument("--seed", type=int, default=12)
    return p.parse_args()


def main():
    args = parse()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)

    data = LeafImages(n=640, classes=5, seed=args.seed)
    teacher = make_teacher(classes=5)
    data.relabel(teacher)
    student = make_student(classes=5)
    objective = DistillObjective(teacher, args.temperature, args.alpha)
    opt = torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9, nesterov=True)

    for step in range(args.steps):
        x, y = data.sample(args.batch)
        out = student(x)
        loss, parts = objective(x, out, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 40 == 0:
            print(f"{step:4d} total {loss.item():.4f} " + " ".join(f"{k} {v:.4f}" for k, v in parts.items()))

    student.eval()
    with torch.no_grad():
        agree = (student(data.x).argmax(1) == data.y).float().mean().item()
    print(f"agreement with teacher labels: {agree:.3f}")


if __name__ == "__main__":
    main()
