# gradwatch-corpus: kind=none
"""Mean-teacher semi-supervision for heart-beat classes on simulated ECG strips.

A few strips have labels; for the rest the student has to agree with a slowly moving
average of itself. Everything worth plotting is appended to a history.
"""
import copy
import math

import torch
from torch import nn
import torch.nn.functional as F

BEATS = ["normal", "wide", "early", "flutter"]


def strip(kind, n, gen):
    t = torch.arange(96) / 96
    shift = torch.rand(n, 1, generator=gen) * 0.2
    width = torch.where(kind == 1, 0.05, 0.018).unsqueeze(1)
    gap = torch.where(kind == 2, 0.22, 0.45).unsqueeze(1)
    first = torch.exp(-((t - 0.2 - shift) / width) ** 2)
    second = torch.exp(-((t - 0.2 - shift - gap) / width) ** 2)
    saw = 0.3 * torch.sin(2 * math.pi * 11 * t + 6 * shift) * (kind == 3).unsqueeze(1)
    hum = 0.05 * torch.sin(2 * math.pi * 25 * t)
    return (first + second + saw + hum).unsqueeze(1)


def augment(x, gen):
    gain = 0.8 + 0.4 * torch.rand(len(x), 1, 1, generator=gen)
    return x * gain + 0.15 * torch.randn(x.shape, generator=gen)


class BeatNet(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.c1 = nn.Conv1d(1, width, 9, stride=2, padding=4)
        self.c2 = nn.Conv1d(width, width, 5, stride=2, padding=2)
        self.b1, self.b2 = nn.BatchNorm1d(width), nn.BatchNorm1d(width)
        self.fc = nn.Linear(width * 4, len(BEATS))

    def forward(self, x):
        h = F.relu(self.b1(self.c1(x)))
        h = F.relu(self.b2(self.c2(h)))
        return self.fc(F.adaptive_max_pool1d(h, 4).flatten(1))


@torch.no_grad()
def follow(teacher, student, step, limit=0.98):
    keep = min(limit, 1 - 1 / (step + 2))
    for t, s in zip(teacher.parameters(), student.parameters()):
        t.lerp_(s, 1 - keep)
    for t, s in zip(teacher.buffers(), student.buffers()):
        t.copy_(s)


@torch.no_grad()
def validate(net, x, y, chunk=250):
    net.eval()
    out = torch.cat([net(x[a:a + chunk]) for a in range(0, len(x), chunk)])
    net.train()
    confusion = torch.zeros(len(BEATS), len(BEATS), dtype=torch.long)
    confusion.index_put_((y, out.argmax(1)), torch.ones_like(y), accumulate=True)
    return F.cross_entropy(out, y).item(), confusion


def main(steps=340, labelled=40):
    torch.set_num_threads(1)
    torch.manual_seed(7)
    gen = torch.Generator().manual_seed(7)
    kinds = torch.randint(len(BEATS), (900,), generator=gen)
    clean = strip(kinds, 900, gen)
    val_y = torch.randint(len(BEATS), (1500,), generator=gen)
    val_x = augment(strip(val_y, 1500, gen), gen)

    student = BeatNet()
    teacher = copy.deepcopy(student)
    opt = torch.optim.AdamW(student.parameters(), lr=3e-3)
    history = {"sup": [], "agree": [], "weight": [], "val": [], "grad": []}

    for step in range(steps):
        li = torch.randint(labelled, (12,), generator=gen)
        ui = torch.randint(len(kinds), (24,), generator=gen)
        both = torch.cat([clean[li], clean[ui]])
        out = student(augment(both, gen))
        with torch.no_grad():
            wanted = teacher(augment(both, gen)).softmax(1)
        sup = F.cross_entropy(out[:12], kinds[li])
        agree = (out.softmax(1) - wanted).pow(2).sum(1).mean()
        weight = 2.0 * math.exp(-5 * (1 - min(1, step / 120)) ** 2)

        opt.zero_grad()
        (sup + weight * agree).backward()
        norm = nn.utils.clip_grad_norm_(student.parameters(), 5.0)
        opt.step()
        follow(teacher, student, step)

        for key, v in (("sup", sup), ("agree", agree), ("grad", norm)):
            history[key].append(v.item())
        history["weight"].append(weight)
        if step % 10 == 9:
            nll, confusion = validate(teacher, val_x, val_y)
            history["val"].append((step, nll, confusion.diag().sum().item() / len(val_y)))
            if step % 60 == 59:
                print(f"{step + 1:4d} sup {sup.item():.3f} agree {agree.item():.4f} val {nll:.3f} acc {history['val'][-1][2]:.3f}")


if __name__ == "__main__":
    main()
