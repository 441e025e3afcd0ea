# gradwatch-corpus: kind=graph-chain
# holder: self.params | student.params | self.student.params | student.params[name] | self.params[name] | self.params['weight'] | student.params['weight']
# first-bad: 1
"""Distillation with learned temperatures: the class temperatures are tuned by the hypergradient of a held-out loss.

After every inner step of the student the outer loss is backpropagated through that step (one-step unrolling).
"""
import torch
import torch.nn.functional as F

from schedule import ClassTemperatures
from student import FunctionalStudent
from teacher import Teacher, make_world

STEPS = 200


class Distiller:
    def __init__(self, world, teacher):
        self.world, self.teacher = world, teacher
        self.student = FunctionalStudent(world.features, world.classes, lr=0.3)
        self.temps = ClassTemperatures(world.classes)
        self.outer = torch.optim.Adam(self.temps.parameters(), lr=0.02)

    def inner_loss(self, x):
        soft = self.temps.soften(self.teacher.logits(x))
        return F.kl_div(F.log_softmax(self.student(x), dim=1), soft, reduction="batchmean")

    def step(self):
        x, _ = self.world.draw(32)
        inner = self.inner_loss(x)
        self.student.descend(inner)

        held_x, held_y = self.world.draw(32)
        outer = F.cross_entropy(self.student(held_x), held_y)
        self.outer.zero_grad()
        outer.backward(retain_graph=True)  # <- culprit
        self.outer.step()
        return inner.item(), outer.item()


def accuracy(world, model, n=512):
    with torch.no_grad():
        x, y = world.draw(n)
        return float((model(x).argmax(1) == y).float().mean())


def main():
    torch.manual_seed(15)
    torch.set_num_threads(1)
    world = make_world(features=16, classes=6, seed=3)
    teacher = Teacher(world).fit(n=2000)
    print(f"teacher acc {accuracy(world, teacher.logits):.3f}")
    distiller = Distiller(world, teacher)
    for step in range(STEPS):
        inner, outer = distiller.step()
        if (step + 1) % 40 == 0:
            temps = [round(t, 2) for t in distiller.temps.values()]
            print(f"{step + 1:4d} inner {inner:.4f} outer {outer:.4f} temperatures {temps}")
    print(f"student acc {accuracy(world, distiller.student):.3f}")


if __name__ == "__main__":
    main()
