# gradwatch-corpus: kind=graph-chain
# holder: self.params[name] | self.params | ema.params
# first-bad: 1
"""Self-distillation with an EMA teacher on noisy-label blobs."""
import torch
import torch.nn.functional as F
from torch import nn

from data import batches
from teacher import EMATeacher


def consistency(student_logits, teacher_logits, tau=2.0):
    target = F.softmax(teacher_logits / tau, -1)
    return F.kl_div(F.log_softmax(student_logits / tau, -1), target, reduction="batchmean") * tau ** 2


def main(steps=420, ramp=100, weight=1.0):
    torch.manual_seed(8)
    student = nn.Sequential(nn.Linear(12, 32), nn.GELU(), nn.Linear(32, 5))
    ema = EMATeacher(student, momentum=0.98)
    opt = torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9)
    for step, (x, weak, strong, y) in enumerate(batches(steps)):
        logits = student(strong)
        lam = weight * min(1.0, step / ramp)
        loss = F.cross_entropy(logits, y) + lam * consistency(logits, ema(weak))
        opt.zero_grad()
        loss.backward()
        opt.step()
        ema.update(student)
        if step % 70 == 0:
            print(f"{step:4d} loss {loss.item():.4f} lam {lam:.2f}")


if __name__ == "__main__":
    main()
