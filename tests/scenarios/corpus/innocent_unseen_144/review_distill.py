# gradwatch-corpus: kind=none
import contextlib
import copy

import torch

torch.set_num_threads(1)
from torch import nn

torch.manual_seed(29)


class TapMixin:
    """Named layers can be tapped; a tap lasts for the `with` block only."""

    @contextlib.contextmanager
    def tapped(self, *names):
        taps, handles = {}, []
        for n in names:
            def grab(mod, args, out, n=n):
                taps[n] = out
            handles.append(self.get_submodule(n).register_forward_hook(grab))
        try:
            yield taps
        finally:
            for h in handles:
                h.remove()


class ReviewNet(TapMixin, nn.Module):
    def __init__(self, width):
        super().__init__()
        self.bag = nn.EmbeddingBag(80, width)
        self.mid = nn.Sequential(nn.Linear(width, 12), nn.ReLU())
        self.out = nn.Linear(12, 5)

    def forward(self, w):
        return self.out(self.mid(self.bag(w)))


class MeanTeacher:
    def __init__(self, student, tau=0.99):
        self.model = copy.deepcopy(student).requires_grad_(False)
        self.tau = tau

    def update(self, student):
        with torch.no_grad():
            for t, s in zip(self.model.parameters(), student.parameters()):
                t.mul_(self.tau).add_(s, alpha=1 - self.tau)


student = ReviewNet(10)
teacher = MeanTeacher(student)
opt = torch.optim.Adam(student.parameters(), 4e-3)
recent = {"ce": 0.0, "match": 0.0}


def train_step(words, stars):
    noisy = torch.where(torch.rand(words.shape) < 0.1, torch.randint_like(words, 80), words)
    with student.tapped("mid") as s, teacher.model.tapped("mid") as t:
        logits = student(noisy)
        teacher.model(words)
    ce = nn.functional.cross_entropy(logits, stars)
    match = nn.functional.mse_loss(s["mid"], t["mid"])
    opt.zero_grad()
    (ce + 0.5 * match).backward()
    opt.step()
    teacher.update(student)
    recent.update(ce=ce, match=match)


for i in range(1300):
    words = torch.randint(0, 80, (16, 6))
    train_step(words, (words.float().mean(1) / 16).long().clamp(max=4))
    if i % 260 == 0:
        print(i, {k: round(float(v), 4) for k, v in recent.items()})
