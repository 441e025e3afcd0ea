# gradwatch-corpus: kind=graph-chain
# holder: self.shadow | teacher.shadow | self.shadow[name] | teacher.shadow[name]
# first-bad: 1
"""Mean teacher on two moons with ten labels.
The teacher is not a second module: its weights are a dict, applied to the student with functional_call."""
import math

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call


def two_moons(n, gen, noise=0.12):
    angle = math.pi * torch.rand(n, generator=gen)
    label = torch.randint(0, 2, (n,), generator=gen)
    flip = 1 - 2 * label.float()
    x = angle.cos() * flip + label
    y = angle.sin() * flip + 0.5 * label - 0.25
    return torch.stack([x, y], 1) + noise * torch.randn(n, 2, generator=gen), label


class Teacher:
    """Exponential moving average of the student's weights."""

    def __init__(self, student, decay):
        self.student = student
        self.decay = decay
        self.shadow = {name: p.detach().clone() for name, p in student.named_parameters()}

    def __call__(self, x):
        return functional_call(self.student, self.shadow, (x,))

    def update(self):
        for name, p in self.student.named_parameters():
            self.shadow[name] = torch.lerp(self.shadow[name], p, 1.0 - self.decay)  # <- culprit


class Perturb:
    def __init__(self, gen, jitter=0.1):
        self.gen, self.jitter = gen, jitter

    def __call__(self, x):
        return x + self.jitter * torch.randn(x.shape, generator=self.gen)


def consistency(student, teacher, x, perturb):
    p_student = student(perturb(x)).softmax(1)
    p_teacher = teacher(perturb(x)).softmax(1)  # <- culprit
    return F.mse_loss(p_student, p_teacher)


def ramp(step, length):
    phase = 1.0 - min(1.0, (step + 1) / length)
    return math.exp(-5.0 * phase * phase)


def accuracy(model, x, y):
    with torch.no_grad():
        return (model(x).argmax(1) == y).float().mean().item()


def main(steps=300, weight=8.0):
    torch.manual_seed(3)
    torch.set_num_threads(1)
    gen = torch.Generator().manual_seed(31)
    pool_x, pool_y = two_moons(600, gen)
    labelled = torch.cat([(pool_y == c).nonzero()[:5, 0] for c in (0, 1)])
    test_x, test_y = two_moons(1000, gen)

    student = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 2))
    teacher = Teacher(student, decay=0.98)
    perturb = Perturb(gen)
    opt = torch.optim.SGD(student.parameters(), lr=0.1, momentum=0.9, nesterov=True)

    for step in range(steps):
        rows = torch.randint(0, len(pool_x), (64,), generator=gen)
        supervised = F.cross_entropy(student(perturb(pool_x[labelled])), pool_y[labelled])
        agree = consistency(student, teacher, pool_x[rows], perturb)
        loss = supervised + weight * ramp(step, 100) * agree
        opt.zero_grad()
        loss.backward()
        opt.step()
        teacher.update()
        if step % 75 == 0 or step == steps - 1:
            print(
                f"{step:4d} sup {supervised.item():.3f} con {agree.item():.4f} "
                f"student {accuracy(student, test_x, test_y):.3f} teacher {accuracy(teacher, test_x, test_y):.3f}"
            )


if __name__ == "__main__":
    main()
