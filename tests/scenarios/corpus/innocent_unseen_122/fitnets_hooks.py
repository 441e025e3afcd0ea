# gradwatch-corpus: kind=none
import torch
torch.set_num_threads(1)
import torch.nn as nn
import torch.nn.functional as F
from contextlib import contextmanager


@contextmanager
def capture(module, names):
    """Yields {name: output} for one forward pass; everything is gone afterwards."""
    grabbed, handles = {}, []
    mods = dict(module.named_modules())
    for n in names:
        handles.append(mods[n].register_forward_hook(lambda m, i, o, n=n: grabbed.__setitem__(n, o)))
    try:
        yield grabbed
    finally:
        for h in handles:
            h.remove()


class Conv1dNet(nn.Module):
    def __init__(self, w):
        super().__init__()
        self.a = nn.Conv1d(3, w, 5, stride=2)
        self.b = nn.Conv1d(w, w, 3, stride=2)
        self.fc = nn.Linear(w, 5)

    def forward(self, x):
        return self.fc(torch.relu(self.b(torch.relu(self.a(x)))).mean(-1))


def gestures(n, g):
    """accelerometer traces of five gestures"""
    y = torch.randint(0, 5, (n,), generator=g)
    t = torch.linspace(0, 6.28, 32)
    freq = 1.0 + y.float()[:, None, None] * torch.tensor([1.0, 0.5, 0.25])[None, :, None]
    return torch.sin(freq * t) + 0.5 * torch.randn(n, 3, 32, generator=g), y


class Distiller:
    LAYERS = ("a", "b")

    def __init__(self, seed=0):
        torch.manual_seed(seed)
        self.g = torch.Generator().manual_seed(seed)
        self.teacher, self.student = Conv1dNet(20), Conv1dNet(6)
        self.adapters = nn.ModuleDict({n: nn.Conv1d(6, 20, 1) for n in self.LAYERS})
        self.records = {"task": [], "hint": []}

    def fit_teacher(self, steps):
        opt = torch.optim.Adam(self.teacher.parameters(), lr=5e-3)
        for _ in range(steps):
            x, y = gestures(20, self.g)
            opt.zero_grad()
            F.cross_entropy(self.teacher(x), y).backward()
            opt.step()
        self.teacher.requires_grad_(False)

    def fit_student(self, steps):
        opt = torch.optim.Adam([*self.student.parameters(), *self.adapters.parameters()], lr=3e-3)
        for i in range(steps):
            x, y = gestures(20, self.g)
            with capture(self.teacher, self.LAYERS) as t, capture(self.student, self.LAYERS) as s:
                self.teacher(x)
                logits = self.student(x)
            hint = sum(F.mse_loss(self.adapters[n](s[n]), t[n]) for n in self.LAYERS)
            task = F.cross_entropy(logits, y)
            opt.zero_grad()
            (task + 0.1 * hint).backward()
            opt.step()
            self.records["task"].append(task.item())
            self.records["hint"].append(hint.item())
            if (i + 1) % 120 == 0:
                print(i + 1, {k: round(sum(v[-60:]) / 60, 3) for k, v in self.records.items()})


d = Distiller()
d.fit_teacher(120)
d.fit_student(480)
