# gradwatch-corpus: kind=graph-chain
# holder: teacher.shadow | self.shadow | self.shadow[name] | teacher.shadow[name]
# first-bad: 1
# notice: 5
"""Semi-supervised mean teacher on spirals: 24 labels, plenty of unlabelled points."""
import math

import torch
import torch.nn.functional as F

from ema import WeightAverage
from nets import SmallMLP
from spirals import augment, make_spirals


def rampup(step, length):
    if step >= length:
        return 1.0
    return math.exp(-5.0 * (1.0 - step / length) ** 2)


def consistency(student_logits, teacher_logits):
    return F.mse_loss(student_logits.softmax(-1), teacher_logits.softmax(-1))


def run(steps=260, n_classes=3, seed=5, w_max=4.0):
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    xl, yl = make_spirals(8, n_classes)
    xu, _ = make_spirals(200, n_classes)
    xt, yt = make_spirals(100, n_classes)

    student = SmallMLP(2, 24, n_classes)
    teacher = WeightAverage(student, decay=0.97)
    opt = torch.optim.Adam(student.parameters(), lr=5e-3)

    log = {"sup": [], "cons": []}
    for step in range(steps):
        teacher.update(student)
        idx = torch.randint(0, xu.size(0), (32,))
        u = xu[idx]

        sup = F.cross_entropy(student(augment(xl)), yl)
        cons = consistency(student(augment(u)), teacher(augment(u)))  # <- culprit
        loss = sup + w_max * rampup(step, 80) * cons

        opt.zero_grad()
        loss.backward()
        opt.step()

        log["sup"].append(sup.item())
        log["cons"].append(cons.item())
        if (step + 1) % 65 == 0:
            with torch.no_grad():
                acc_s = (student(xt).argmax(-1) == yt).float().mean().item()
                acc_t = (teacher(xt).argmax(-1) == yt).float().mean().item()
            print(f"{step + 1:4d}  sup {sum(log['sup'][-65:]) / 65:.3f}  cons {sum(log['cons'][-65:]) / 65:.4f}  "
                  f"student {acc_s:.3f}  teacher {acc_t:.3f}")


if __name__ == "__main__":
    run()
