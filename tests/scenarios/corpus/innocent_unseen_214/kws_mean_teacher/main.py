# gradwatch-corpus: kind=none
import torch
import torch.nn.functional as F
from torch import nn

from audio import keyword_batch, spec_augment
from teacher import MeanTeacher


def build(n_mel=20, n_kw=6, c=32):
    return nn.Sequential(
        nn.Conv1d(n_mel, c, 5, padding=2), nn.BatchNorm1d(c), nn.ReLU(),
        nn.Conv1d(c, c, 5, padding=2, groups=4), nn.BatchNorm1d(c), nn.ReLU(),
        nn.AdaptiveAvgPool1d(3), nn.Flatten(), nn.Linear(3 * c, n_kw),
    )


def rampup(it, length=50):
    return 1.0 if it >= length else (it / length) ** 2


def main():
    torch.manual_seed(8)
    g = torch.Generator().manual_seed(8)
    student = build()
    teacher = MeanTeacher(student)
    opt = torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9, nesterov=True)
    smooth = None
    for it in range(140):
        xl, yl = keyword_batch(8, g)
        xu, _ = keyword_batch(24, g)
        logits = student(torch.cat([spec_augment(xl, g), spec_augment(xu, g)]))
        sup = F.cross_entropy(logits[:8], yl)
        cons = F.kl_div(logits[8:].log_softmax(-1), teacher.targets(xu), reduction="batchmean")
        total_loss = sup + rampup(it) * cons
        opt.zero_grad()
        total_loss.backward()
        opt.step()
        teacher.update()
        gap = teacher.track(cons)
        smooth = sup.item() if smooth is None else 0.9 * smooth + 0.1 * sup.item()
        if it % 35 == 34:
            xv, yv = keyword_batch(64, g)
            acc = (teacher.targets(xv).argmax(-1) == yv).float().mean().item()
            print(f"{it + 1} sup {smooth:.3f} cons {gap.item():.3f} teacher acc {acc:.2f}")


if __name__ == "__main__":
    main()
