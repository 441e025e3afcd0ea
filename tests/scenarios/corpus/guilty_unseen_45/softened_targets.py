# gradwatch-corpus: kind=grads-accumulate
# first-bad: 1
"""Temperature-scheduled distillation of hand-written rules into a thin student."""
import torch
import torch.nn.functional as F
from torch import nn


class Trainer:
    """Minimal loop; subclasses fill in compute_loss and the hooks they need."""

    def __init__(self, model, lr, total_steps):
        self.model = model
        self.opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
        self.total_steps = total_steps
        self.step_no = 0

    def before_batch(self):
        self.model.train()
        self.opt.zero_grad()

    def compute_loss(self, batch):
        raise NotImplementedError

    def after_batch(self, loss):
        if self.step_no % 25 == 0:
            print(f"{type(self).__name__} step {self.step_no:3d} loss {loss:.4f}")

    def fit(self, source):
        for self.step_no in range(self.total_steps):
            self.before_batch()
            loss = self.compute_loss(next(source))
            loss.backward()
            self.opt.step()  # <- culprit
            self.after_batch(loss.item())
        return self.model


class RuleTeacher(nn.Module):
    """Template scores written by hand: row bar, column bar, cross, block."""

    def forward(self, x):
        row = x.mean(3).amax(dim=(1, 2))
        col = x.mean(2).amax(dim=(1, 2))
        block = F.avg_pool2d(x, 4, stride=1).amax(dim=(1, 2, 3))
        bars = torch.stack([row - col, col - row, row + col - 1.2], 1)
        return 6 * torch.cat([bars, (1.5 * block - row.maximum(col)).unsqueeze(1)], 1)


class DistillTrainer(Trainer):
    def __init__(self, student, teacher, lr, total_steps, t_start=6.0, t_end=1.5):
        super().__init__(student, lr, total_steps)
        self.teacher = teacher
        self.t_start, self.t_end = t_start, t_end
        self.temp = t_start

    def before_batch(self):  # <- culprit
        self.model.train()
        self.teacher.eval()
        frac = self.step_no / max(1, self.total_steps - 1)
        self.temp = self.t_start + frac * (self.t_end - self.t_start)

    def compute_loss(self, batch):
        x, y = batch
        with torch.no_grad():
            soft = (self.teacher(x) / self.temp).softmax(-1)
        out = self.model(x)
        kd = F.kl_div((out / self.temp).log_softmax(-1), soft, reduction="batchmean")
        return 0.8 * self.temp ** 2 * kd + 0.2 * F.cross_entropy(out, y)


def glyphs(batch, gen, size=12):
    """Bars, crosses and blocks on a noisy grid."""
    while True:
        y = torch.randint(0, 4, (batch,), generator=gen)
        x = 0.4 * torch.randn(batch, 1, size, size, generator=gen)
        at = torch.randint(2, size - 3, (batch,), generator=gen)
        for i in range(batch):
            a, kind = int(at[i]), int(y[i])
            if kind in (0, 2):
                x[i, 0, a] += 1
            if kind in (1, 2):
                x[i, 0, :, a] += 1
            if kind == 3:
                x[i, 0, a - 2:a + 2, a - 2:a + 2] += 1
        yield x, y


def convnet(width):
    return nn.Sequential(nn.Conv2d(1, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU(),
                         nn.MaxPool2d(2), nn.Conv2d(width, 2 * width, 3, padding=1), nn.ReLU(),
                         nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(8 * width, 4))


@torch.no_grad()
def accuracy(model, x, y):
    model.eval()
    return (model(x).argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(31)
    gen = torch.Generator().manual_seed(31)
    source = glyphs(32, gen)
    student = convnet(4)
    teacher = RuleTeacher()
    print(f"teacher accuracy {accuracy(teacher, *next(source)):.3f}")
    DistillTrainer(student, teacher, lr=0.002, total_steps=150).fit(source)
    print(f"student accuracy {accuracy(student, *next(source)):.3f}")


if __name__ == "__main__":
    main()
