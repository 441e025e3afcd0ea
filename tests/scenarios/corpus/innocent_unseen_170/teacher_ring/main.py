# gradwatch-corpus: kind=none
"""Self distillation from a ring of the student's own past, on a toy tabular problem."""
import torch
import torch.nn as nn
import torch.nn.functional as F

from ring import TeacherRing


def student():
    return nn.Sequential(
        nn.Linear(24, 220), nn.GELU(),
        nn.Linear(220, 220), nn.GELU(),
        nn.Linear(220, 6),
    )


def stream(steps, size=40):
    gen = torch.Generator().manual_seed(8)
    proto = torch.randn(6, 24, generator=gen)
    for _ in range(steps):
        y = torch.randint(0, 6, (size,), generator=gen)
        yield proto[y] + 1.3 * torch.randn(size, 24, generator=gen), y


class Distiller:
    def __init__(self, weight=0.5):
        self.net = student()
        self.ring = TeacherRing()
        self.weight = weight
        self.opt = torch.optim.Adam(self.net.parameters(), lr=1e-3)
        self.losses = []

    def loss(self, x, y):
        logits = self.net(x)
        loss = F.cross_entropy(logits, y)
        if len(self.ring):
            soft = self.ring(x)
            loss = loss + self.weight * F.kl_div(logits.log_softmax(-1), soft, reduction="batchmean")
        return loss

    def fit(self, steps):
        for step, (x, y) in enumerate(stream(steps)):
            self.opt.zero_grad()
            loss = self.loss(x, y)
            loss.backward()
            self.opt.step()
            self.losses.append(loss.item())
            if step % 2 == 0:
                self.ring.push(self.net)
        return self.losses


def main():
    torch.manual_seed(1)
    torch.set_num_threads(1)
    d = Distiller()
    losses = d.fit(140)
    print("first", sum(losses[:10]) / 10, "last", sum(losses[-10:]) / 10, "teachers", len(d.ring))


if __name__ == "__main__":
    main()
