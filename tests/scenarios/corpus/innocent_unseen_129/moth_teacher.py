# gradwatch-corpus: kind=none
import copy

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(177)


class Teacher:
    """Exponential average of the student, with a centred output."""

    def __init__(self, student, keep):
        self.net = copy.deepcopy(student).requires_grad_(False)
        self.keep = keep
        self.centre = None

    def follow(self, student):
        for t, s in zip(self.net.parameters(), student.parameters()):
            t.mul_(self.keep).add_(s.detach(), alpha=1 - self.keep)

    def __call__(self, view):
        out = self.net(view)
        mean = out.mean(0, keepdim=True)
        self.centre = mean if self.centre is None else 0.9 * self.centre + 0.1 * mean
        return F.softmax((out - self.centre) / 0.1, 1)


class Wings(nn.Module):
    def __init__(self):
        super().__init__()
        self.eye = nn.Sequential(nn.Conv2d(1, 4, 3, stride=2), nn.GELU(), nn.Flatten(), nn.Linear(36, 16))
        self.proj = nn.utils.parametrizations.weight_norm(nn.Linear(16, 6))

    def forward(self, x):
        return self.proj(F.normalize(self.eye(x), dim=1))


class Views:
    def __init__(self):
        self.proto = torch.rand(6, 1, 8, 8)

    def pair(self, n):
        base = self.proto[torch.randint(0, 6, (n,))]
        return tuple(base * (0.8 + 0.4 * torch.rand(n, 1, 1, 1)) + 0.1 * torch.randn_like(base) for _ in range(2))


class Distiller:
    def __init__(self):
        self.student = Wings()
        self.teacher = Teacher(self.student, 0.99)
        self.views = Views()
        self.opt = torch.optim.AdamW(self.student.parameters(), lr=1e-3)
        self.ema_loss = None

    def step(self):
        a, b = self.views.pair(16)
        ta, tb = self.teacher(a), self.teacher(b)
        sa, sb = (F.log_softmax(self.student(v), 1) for v in (a, b))
        loss = -0.5 * ((tb * sa).sum(1).mean() + (ta * sb).sum(1).mean())
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.teacher.follow(self.student)
        now = loss.detach()
        self.ema_loss = now if self.ema_loss is None else torch.lerp(self.ema_loss, now, 0.05)


d = Distiller()
for _ in range(650):
    d.step()
print(d.ema_loss.item())
