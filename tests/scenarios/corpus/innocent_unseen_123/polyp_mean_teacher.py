# gradwatch-corpus: kind=none
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn, update_bn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(20)


def patches(n, rng):
    y = torch.randint(0, 2, (n,), generator=rng)
    r = torch.linspace(-1, 1, 8)
    bump = torch.exp(-(r[:, None] ** 2 + r[None] ** 2) * 3)
    return y[:, None, None, None] * bump + 0.5 * torch.randn(n, 1, 8, 8, generator=rng), y


class Patch(nn.Module):
    def __init__(self):
        super().__init__()
        self.c = nn.Conv2d(1, 6, 3, stride=2)
        self.bn = nn.BatchNorm2d(6)
        self.f = nn.Linear(54, 2)

    def forward(self, x):
        return self.f(F.relu(self.bn(self.c(x))).flatten(1))


def main():
    rng = torch.Generator().manual_seed(1)
    student = Patch()
    teacher = AveragedModel(student, multi_avg_fn=get_ema_multi_avg_fn(0.98), use_buffers=True)
    opt = torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9)
    for it in range(1200):
        x, y = patches(8, rng)
        u, _ = patches(8, rng)
        with torch.no_grad():
            aim = teacher(u).softmax(-1)
        loss = F.cross_entropy(student(x), y) + F.kl_div(student(u).log_softmax(-1), aim, reduction="batchmean")
        opt.zero_grad()
        loss.backward()
        opt.step()
        teacher.update_parameters(student)
        if it % 300 == 299:
            print(it + 1, f"{loss.item():.3f}")
    update_bn(((patches(16, rng)[0]) for _ in range(10)), teacher)


main()
