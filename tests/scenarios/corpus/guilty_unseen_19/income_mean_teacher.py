# gradwatch-corpus: kind=graph-chain
# holder: self.shadow[name] | self.shadow | teacher.shadow | teacher.shadow[name] | self.teacher.shadow
# first-bad: 1
"""Semi-supervised income brackets from categorical census columns:
an embedding model with a mean teacher on the unlabelled rows."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call


CARDINALITIES = [9, 16, 7, 15, 6, 5, 2, 42]
CLASSES = 4


class TabularNet(nn.Module):
    """One table for all columns, every column has its own range of rows."""

    def __init__(self, cards, n_num=3, dim=6, width=40):
        super().__init__()
        self.register_buffer("offset", torch.tensor([0] + cards[:-1]).cumsum(0), persistent=False)
        self.table = nn.Embedding(sum(cards), dim)
        self.fc1 = nn.Linear(dim * len(cards) + n_num, width)
        self.fc2 = nn.Linear(width, CLASSES)

    def forward(self, cat, num):
        e = self.table(cat + self.offset).flatten(1)
        h = torch.cat([e, num], dim=1)
        return self.fc2(F.relu(self.fc1(h)))


class MeanTeacher:
    """Keeps averaged weights and evaluates the student's architecture with them."""

    def __init__(self, student, decay=0.98):
        self.student = student
        self.decay = decay
        self.shadow = {k: v.detach().clone() for k, v in student.named_parameters()}

    def update(self):
        for name, p in self.student.named_parameters():
            self.shadow[name] = self.shadow[name].lerp(p, 1.0 - self.decay)  # <- culprit

    def __call__(self, cat, num):
        return functional_call(self.student, self.shadow, (cat, num))


class Census:
    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.effects = [torch.randn(c, CLASSES, generator=self.g) for c in CARDINALITIES]

    def draw(self, n):
        cat = torch.stack([torch.randint(c, (n,), generator=self.g) for c in CARDINALITIES], 1)
        num = torch.randn(n, 3, generator=self.g)
        score = sum(eff[cat[:, i]] for i, eff in enumerate(self.effects))
        return cat, num, score.argmax(1)


def jitter(num, g, scale=0.2):
    return num + scale * torch.randn(num.shape, generator=g)


def ramp(step, length=100, top=2.0):
    return top * min(1.0, step / length)


def consistency(student_logits, teacher_logits):
    return F.mse_loss(student_logits.softmax(1), teacher_logits.softmax(1))  # <- culprit


def main(steps=220):
    torch.manual_seed(31)
    data = Census(12)
    student = TabularNet(CARDINALITIES)
    teacher = MeanTeacher(student)
    optimizer = torch.optim.SGD(student.parameters(), lr=0.1, momentum=0.9)
    for step in range(steps):
        cat_l, num_l, y = data.draw(24)
        cat_u, num_u, _ = data.draw(72)
        sup = F.cross_entropy(student(cat_l, num_l), y)
        cons = consistency(student(cat_u, jitter(num_u, data.g)), teacher(cat_u, jitter(num_u, data.g)))
        loss = sup + (0.1 + ramp(step)) * cons
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        teacher.update()
        if step % 60 == 0 or step == steps - 1:
            print(f"{step:4d} sup {sup.item():.3f} cons {cons.item():.5f}")

    with torch.no_grad():
        cat, num, y = data.draw(2000)
        for tag, f in (("student", student), ("teacher", teacher)):
            print(tag, "accuracy", round((f(cat, num).argmax(1) == y).float().mean().item(), 3))


if __name__ == "__main__":
    main()
