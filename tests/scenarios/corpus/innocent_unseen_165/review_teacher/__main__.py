# gradwatch-corpus: kind=none
import torch
import torch.nn.functional as F

from .ema import EMA
from .net import GRUClassifier


def reviews(n, length=10):
    y = torch.randint(0, 2, (n,))
    tok = torch.randint(0, 60, (n, length))
    marks = torch.randint(0, 10, (n, 3)) + 20 * y.unsqueeze(1)
    tok[:, 2:5] = marks
    return tok, y


def ramp(step, length=40):
    return min(1.0, step / length)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(10)
    xl, yl = reviews(120)
    xu, _ = reviews(600)
    xv, yv = reviews(200)
    student = GRUClassifier()
    teacher = EMA(student)
    opt = torch.optim.Adam(student.parameters(), lr=5e-3)
    stats = {"ce": [], "cons": []}
    for step in range(140):
        student.train()
        il, iu = torch.randint(0, len(xl), (16,)), torch.randint(0, len(xu), (32,))
        ce = F.cross_entropy(student(xl[il]), yl[il])
        cons = F.mse_loss(student(xu[iu]).softmax(1), teacher(xu[iu]).softmax(1))
        loss = ce + 2.0 * ramp(step) * cons
        opt.zero_grad()
        loss.backward()
        opt.step()
        teacher.update(student)
        stats["ce"].append(ce.item())
        stats["cons"].append(cons.item())
        if step % 35 == 34:
            acc = (teacher(xv).argmax(1) == yv).float().mean().item()
            print(step, f"ce {sum(stats['ce'][-35:]) / 35:.3f} cons {stats['cons'][-1]:.4f} teacher acc {acc:.3f}")


main()
