# gradwatch-corpus: kind=memory-climb
# holder: self.rows | archive.rows | self.sink.rows | rows | sink
# first-bad: 0
# notice: 60
"""Tiny segmentation net; a partial hands each batch to the metric, which reports over the last batches."""
from functools import partial

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(47)
SIZE, CLASSES = 32, 4


class DiceArchive:
    """Macro dice over the last `window` batches."""

    def __init__(self, window=10):
        self.window = window
        self.rows = []

    def add(self, probs, mask, step):
        self.rows.append((step, probs.detach().clone(), mask))  # <- culprit

    def value(self):
        recent = self.rows[-self.window:]  # <- culprit
        inter = torch.zeros(CLASSES)
        total = torch.zeros(CLASSES)
        for _, probs, mask in recent:
            hot = F.one_hot(mask, CLASSES).permute(0, 3, 1, 2).float()
            inter += (probs * hot).sum((0, 2, 3))
            total += (probs + hot).sum((0, 2, 3))
        return (2 * inter / total.clamp(min=1e-6)).mean().item()


class SegNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Conv2d(1, 8, 3, stride=2, padding=1)
        self.mid = nn.Conv2d(8, 8, 3, padding=1)
        self.head = nn.Conv2d(8, CLASSES, 1)

    def forward(self, x):
        h = torch.relu(self.mid(torch.relu(self.down(x))))
        return self.head(F.interpolate(h, scale_factor=2.0, mode="bilinear", align_corners=False))


def shapes(n):
    yy, xx = torch.meshgrid(torch.arange(SIZE), torch.arange(SIZE), indexing="ij")
    mask = torch.zeros(n, SIZE, SIZE, dtype=torch.long)
    for i in range(n):
        for c in range(1, CLASSES):
            cy, cx = torch.randint(4, SIZE - 4, (2,)).tolist()
            mask[i][(yy - cy) ** 2 + (xx - cx) ** 2 < 20] = c
    return (mask.float() / CLASSES + 0.05 * torch.randn(n, SIZE, SIZE)).unsqueeze(1), mask


def train_step(net, opt, on_result, step):
    x, mask = shapes(24)
    logits = net(x)
    loss = F.cross_entropy(logits, mask)
    opt.zero_grad()
    loss.backward()
    opt.step()
    on_result(logits.softmax(1), mask, step=step)
    return loss.item()


net = SegNet()
archive = DiceArchive()
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
step_fn = partial(train_step, net, opt, archive.add)
for step in range(150):
    loss = step_fn(step)
    if step % 25 == 24:
        print(f"{step:4d} loss {loss:.4f} dice {archive.value():.3f}")
