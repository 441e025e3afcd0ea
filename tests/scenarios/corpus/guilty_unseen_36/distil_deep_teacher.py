# gradwatch-corpus: kind=graph-unused
# first-bad: 0
"""Feature and logit distillation from a deep residual teacher to a two-layer student."""
import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)


class Residual(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.norm = nn.LayerNorm(d)
        self.body = nn.Sequential(nn.Linear(d, d), nn.SiLU(), nn.Linear(d, d))

    def forward(self, x):
        return x + self.body(self.norm(x))


class Teacher(nn.Module):
    def __init__(self, feat, classes, d=32, depth=8):
        super().__init__()
        self.stem = nn.Linear(feat, d)
        self.blocks = nn.Sequential(*[Residual(d) for _ in range(depth)])
        self.head = nn.Linear(d, classes)

    def forward(self, x):
        z = self.blocks(self.stem(x))
        return z, self.head(z)


class Student(nn.Module):
    def __init__(self, feat, classes, d=32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(feat, 12), nn.ReLU())
        self.match = nn.Linear(12, d)
        self.head = nn.Linear(12, classes)

    def forward(self, x):
        h = self.trunk(x)
        return self.match(h), self.head(h)


def blobs(n, feat, classes):
    centres = 1.5 * torch.randn(classes, feat)
    while True:
        y = torch.randint(0, classes, (n,))
        yield centres[y] + torch.randn(n, feat), y


def distil(teacher, student, batches, steps=100):
    opt = torch.optim.Adam(student.parameters(), lr=3e-3)
    for step, (x, y) in zip(range(steps), batches):
        tz, tl = teacher(x)  # <- culprit
        sz, sl = student(x)
        loss = (F.mse_loss(sz, tz.detach())
                + F.kl_div(F.log_softmax(sl, 1), F.softmax(tl.detach(), 1), reduction="batchmean")
                + 0.2 * F.cross_entropy(sl, y))
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 20 == 0:
            agree = (sl.argmax(1) == tl.argmax(1)).float().mean().item()
            print(f"step {step} loss {loss.item():.3f} agreement {agree:.2f}")


if __name__ == "__main__":
    torch.manual_seed(10)
    data = blobs(64, 10, 6)
    big = Teacher(10, 6)
    distil(big.eval(), Student(10, 6), data)
