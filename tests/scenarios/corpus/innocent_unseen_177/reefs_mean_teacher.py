# gradwatch-corpus: kind=none
"""Semi-supervised reef-cover classifier with an averaged teacher and
consistency targets remembered from previous visits of every tile."""
import copy
from collections import OrderedDict

import torch
from torch import nn
from torch.nn import functional as F

TILES, BANDS, CLASSES = 4000, 12, 5


class TargetMemory(OrderedDict):
    def __init__(self, capacity):
        super().__init__()
        self.capacity = capacity

    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        self.move_to_end(key)
        if len(self) > self.capacity:
            self.popitem(last=False)


class Net(nn.Module):
    def __init__(self, drop):
        super().__init__()
        self.stem = nn.Linear(BANDS, 64)
        self.mid = nn.Linear(64, 64)
        self.drop = nn.Dropout(drop)
        self.out = nn.Linear(64, CLASSES)

    def forward(self, x):
        h = F.gelu(self.stem(x))
        return self.out(self.drop(h + F.gelu(self.mid(h))))


def make_tiles():
    g = torch.Generator().manual_seed(404)
    spectra = torch.randn(CLASSES, BANDS, generator=g)
    labels = torch.randint(0, CLASSES, (TILES,), generator=g)
    x = spectra[labels] + 0.9 * torch.randn(TILES, BANDS, generator=g)
    known = torch.rand(TILES, generator=g) < 0.1
    return x, labels, known


def update_teacher(teacher, student, step, top=0.995):
    decay = min(1 - 1 / (step + 1), top)
    for t, s in zip(teacher.parameters(), student.parameters()):
        t.data = decay * t.data + (1 - decay) * s.data


def main(steps=900):
    torch.manual_seed(8)
    x, y, known = make_tiles()
    student = Net(0.3)
    teacher = copy.deepcopy(student).requires_grad_(False)
    opt = torch.optim.AdamW(student.parameters(), lr=2e-3, weight_decay=1e-3)
    memory = TargetMemory(capacity=40)
    blocks = torch.arange(TILES).view(-1, 50)
    order = torch.Generator().manual_seed(1)
    ramp = None

    for step in range(steps):
        b = int(torch.randint(0, len(blocks), (1,), generator=order))
        idx = blocks[b]
        logits = student(x[idx] + 0.1 * torch.randn(50, BANDS))
        goal = teacher(x[idx]).softmax(-1)
        past = memory.get(b)
        if past is not None:
            goal = 0.5 * goal + 0.5 * past.detach()
        consistency = F.mse_loss(logits.softmax(-1), goal)
        mask = known[idx]
        loss = 0.3 * min(1.0, step / 200) * 10 * consistency
        if mask.any():
            loss = loss + F.cross_entropy(logits[mask], y[idx][mask])
        ramp = loss.detach() if ramp is None else ramp * 0.95 + 0.05 * loss.detach()

        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        update_teacher(teacher, student, step)
        memory[b] = logits.softmax(-1)

        if step % 150 == 0:
            acc = (teacher(x).argmax(1) == y).float().mean()
            print(f"{step:4d} loss {ramp.item():.3f} teacher acc {acc.item():.3f} memory {len(memory)}")


if __name__ == "__main__":
    main()
