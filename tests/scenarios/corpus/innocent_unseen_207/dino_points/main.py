# gradwatch-corpus: kind=none
import torch

from memory import NeighbourBank
from networks import PointEncoder, TeacherStudent
from views import crops, shape_stream


class DinoLoss:
    def __init__(self, dim, momentum=0.9):
        self.center = torch.zeros(dim)
        self.momentum = momentum

    def __call__(self, student, teacher, temp):
        target = ((teacher - self.center) / temp).softmax(dim=-1)
        loss = -(target * student.div(0.1).log_softmax(dim=-1)).sum(dim=-1).mean()
        self.center = self.momentum * self.center + (1 - self.momentum) * teacher.mean(dim=0)
        return loss


def main(steps=440):
    torch.manual_seed(83)
    pair = TeacherStudent(PointEncoder(dim=16), decay=0.99)
    criterion, bank = DinoLoss(16), NeighbourBank(capacity=96, dim=16)
    optim = torch.optim.AdamW(pair.student.parameters(), lr=1e-3)
    for step, clouds in enumerate(shape_stream(steps, batch=12, points=32)):
        a, b = crops(clouds)
        za, zb = pair.student(a), pair.student(b)
        ta, tb = pair.targets(a), pair.targets(b)
        temp = 0.04 + 0.03 * min(1.0, step / 200)
        loss = criterion(za, tb, temp) + criterion(zb, ta, temp)
        if bank.full:
            loss = loss + 0.1 * bank.attract(za)
        optim.zero_grad()
        loss.backward()
        optim.step()
        pair.update()
        bank.store(zb)
        if step % 80 == 0:
            print(step, f"{loss.item():.4f}", f"center {criterion.center.norm().item():.3f}")


if __name__ == "__main__":
    main()
