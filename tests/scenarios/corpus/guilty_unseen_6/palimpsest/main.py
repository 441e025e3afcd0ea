# gradwatch-corpus: kind=graph-held
# holder: shelf | shelf[key]
# first-bad: 1
# notice: 130
# also: graph-unused
"""Shrinking a leaf-disease classifier: a small student follows the soft scores of a larger teacher."""
import torch
import torch.nn.functional as F

from config import Plan
from leaves import Greenhouse
from nets import Student, Teacher


def follow(student, soft, batch, plan):
    scores = student(batch.pixels)
    hard = F.cross_entropy(scores, batch.label)
    target = F.softmax(soft.data / plan.heat, -1)
    kl = F.kl_div(F.log_softmax(scores / plan.heat, -1), target, reduction="batchmean")
    return (1 - plan.trust) * hard + plan.trust * plan.heat ** 2 * kl, hard


def main(plan=Plan()):
    torch.manual_seed(plan.seed)
    house = Greenhouse(plan)
    teacher = Teacher(plan.classes)
    teacher.load(house.pretrain_signal())
    student = Student(plan.classes)
    opt = torch.optim.SGD(student.parameters(), lr=plan.lr, momentum=0.9)
    for epoch in range(plan.epochs):
        tally = 0.0
        for i, batch in enumerate(house):
            loss, hard = follow(student, teacher.soft_scores(batch), batch, plan)
            opt.zero_grad()
            loss.backward()
            opt.step()
            tally += hard.item()
            if i % 50 == 49:
                print(f"epoch {epoch} batch {i + 1} hard loss {tally / 50:.3f}")
                tally = 0.0


if __name__ == "__main__":
    main()
