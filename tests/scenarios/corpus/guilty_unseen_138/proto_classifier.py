# gradwatch-corpus: kind=graph-chain
# holder: self.centers | model.centers | bank.centers | self.bank.centers | model.bank.centers
# first-bad: 1
# notice: 5
"""Supervised prototype learning for gesture recognition, class centres with momentum."""
import torch
from torch import nn
from torch.nn import functional as F

torch.set_num_threads(1)
torch.manual_seed(404)

CLASSES, DIM = 5, 12


class Gestures:
    """Each gesture: noisy 3-axis accelerometer trace of 20 samples."""

    def __init__(self):
        self.templates = torch.randn(CLASSES, 3, 20).cumsum(-1) / 3

    def __iter__(self):
        return self

    def __next__(self):
        y = torch.randint(0, CLASSES, (16,))
        return self.templates[y] + 0.4 * torch.randn(16, 3, 20), y


class Embedder(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv1d(3, 12, 3, padding=1)
        self.c2 = nn.Conv1d(12, 16, 3, padding=1)
        self.fc = nn.Linear(16, DIM)

    def forward(self, x):
        x = F.max_pool1d(F.relu(self.c1(x)), 2)
        x = F.relu(self.c2(x)).mean(-1)
        return self.fc(x)


class CenterBank(nn.Module):
    def __init__(self, momentum=0.9):
        super().__init__()
        self.momentum = momentum
        self.proto = nn.Parameter(torch.randn(CLASSES, DIM))
        self.centers = torch.zeros(CLASSES, DIM)

    def refresh(self):
        self.centers = torch.lerp(self.centers, self.proto, 1 - self.momentum)  # <- culprit
        return self.centers


class ProtoNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = Embedder()
        self.bank = CenterBank()

    def forward(self, x):
        z = self.embed(x)
        c = self.bank.refresh()
        return -torch.cdist(z, c).pow(2) / 4, z


def center_spread(c):
    d = torch.cdist(c, c)
    return d.sum() / (CLASSES * (CLASSES - 1))


model = ProtoNet()
optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
hits = 0
for step, (x, y) in enumerate(Gestures()):
    logits, z = model(x)
    loss = F.cross_entropy(logits, y)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 5.0)
    optimizer.step()
    hits += (logits.argmax(1) == y).sum().item()
    if step % 80 == 79:
        with torch.no_grad():
            spread = center_spread(model.bank.centers)
        print(f"step {step + 1}  loss {loss.item():.3f}  acc {hits / (80 * 16):.2%}  spread {spread:.2f}")
        hits = 0
    if step == 400:
        break
