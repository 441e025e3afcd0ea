# gradwatch-corpus: kind=graph-chain
# holder: self.shadow | teacher.shadow | shadow | ema.shadow
# first-bad: 1
"""Mean teacher: consistency between a student and the moving average of its weights."""
import torch
import torch.nn.functional as F

from .data import labelled_and_unlabelled, jitter
from .nets import WeightAverage, build_student

SEED = 5
STEPS = 130
BATCH_L, BATCH_U = 16, 64
RAMP = 50


def consistency_weight(step, top=4.0):
    r = min(1.0, step / RAMP)
    return top * float(torch.exp(torch.tensor(-5.0 * (1 - r) ** 2)))


def main():
    torch.manual_seed(SEED)
    xl, yl, xu, yu = labelled_and_unlabelled()
    student = build_student(xl.shape[1], 3)
    teacher = WeightAverage(student, decay=0.97)
    opt = torch.optim.SGD(student.parameters(), lr=0.1, momentum=0.9, nesterov=True)

    for step in range(STEPS):
        il = torch.randint(len(xl), (BATCH_L,))
        iu = torch.randint(len(xu), (BATCH_U,))
        sup = F.cross_entropy(student(jitter(xl[il])), yl[il])

        target = teacher(jitter(xu[iu])).softmax(-1)  # <- culprit
        guess = student(jitter(xu[iu])).softmax(-1)
        cons = F.mse_loss(guess, target)

        loss = sup + consistency_weight(step) * cons
        opt.zero_grad()
        loss.backward()
        opt.step()
        teacher.update(student)  # <- culprit

        if (step + 1) % 26 == 0:
            with torch.no_grad():
                acc_s = (student(xu).argmax(-1) == yu).float().mean().item()
                acc_t = (teacher(xu).argmax(-1) == yu).float().mean().item()
            print(f"{step + 1:4d} sup {sup.item():.3f} cons {cons.item():.4f} "
                  f"acc student {acc_s:.3f} teacher {acc_t:.3f}")


if __name__ == "__main__":
    main()
