# gradwatch-corpus: kind=none
# about: a heap of fixed size holds the hardest cases' loss tensors with their graphs alive, some for very long, but never more than 9
"""Lesion segmentation on synthetic slices. The nine hardest slices so far are kept on a board for the radiologists."""
import heapq
import itertools

import torch
from torch import nn

BOARD = 9


class SliceMaker:
    def __init__(self, size=32, seed=0):
        self.g = torch.Generator().manual_seed(seed)
        a = torch.arange(size).float()
        self.yy, self.xx = torch.meshgrid(a, a, indexing="ij")
        self.size = size

    def __call__(self, n):
        c = torch.rand(n, 2, 1, 1, generator=self.g) * (self.size - 8) + 4
        r = torch.rand(n, 1, 1, generator=self.g) * 5 + 1.5
        mask = ((self.yy - c[:, 0]).pow(2) + (self.xx - c[:, 1]).pow(2) < r.pow(2)).float()
        con = torch.rand(n, 1, 1, generator=self.g) * 1.5 + 0.2
        return (mask * con + 0.4 * torch.randn(n, self.size, self.size, generator=self.g)).unsqueeze(1), mask


class TinyUNet(nn.Module):
    def __init__(self, w=8):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv2d(1, w, 3, padding=1), nn.ReLU())
        self.bot = nn.Sequential(nn.MaxPool2d(2), nn.Conv2d(w, w * 2, 3, padding=1), nn.ReLU(), nn.Upsample(scale_factor=2))
        self.out = nn.Conv2d(3 * w, 1, 1)

    def forward(self, x):
        e = self.enc(x)
        return self.out(torch.cat([e, self.bot(e)], 1)).squeeze(1)


def dice_each(logit, mask):
    p = logit.sigmoid()
    inter = (p * mask).sum((1, 2))
    return 1 - (2 * inter + 1) / (p.sum((1, 2)) + mask.sum((1, 2)) + 1)


class Board:
    def __init__(self, room):
        self.room, self.rows, self.tie = room, [], itertools.count()

    def offer(self, when, pic, score):
        row = (score.item(), next(self.tie), when, pic, score)
        if len(self.rows) < self.room:
            heapq.heappush(self.rows, row)
        else:
            heapq.heappushpop(self.rows, row)

    def ages(self, now):
        return sorted(now - r[2] for r in self.rows)


torch.manual_seed(13)
make, net, board = SliceMaker(), TinyUNet(), Board(BOARD)
opt = torch.optim.AdamW(net.parameters(), lr=4e-3)
for step in range(320):
    pics, masks = make(10)
    per_slice = dice_each(net(pics), masks)
    opt.zero_grad()
    per_slice.mean().backward()
    opt.step()
    worst = int(per_slice.argmax())
    board.offer(step, pics[worst], per_slice[worst])
    if step % 64 == 63:
        print(f"step {step + 1} dice {1 - per_slice.mean().item():.3f} board {heapq.nlargest(1, board.rows)[0][0]:.3f}"
              f" ages {board.ages(step)}")
