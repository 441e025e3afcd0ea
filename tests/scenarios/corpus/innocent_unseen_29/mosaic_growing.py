# gradwatch-corpus: kind=none
"""Inpainting of floor mosaics.  The net gains a block every now and then, and the
patches get larger with it; old parameters go on with their optimizer state."""
import math

import torch
import torch.nn as nn

STAGES = [          # (iterations, side)
    (40, 6), (40, 8), (40, 10), (40, 12), (40, 14),
]


class GrowingNet(nn.Module):
    def __init__(self, ch=8):
        super().__init__()
        self.ch = ch
        self.stem = nn.Conv2d(2, ch, 3, padding=1)
        self.blocks = nn.ModuleList()
        self.out = nn.Conv2d(ch, 1, 1)
        self.fade = 1.0

    def grow(self):
        block = nn.Sequential(nn.Conv2d(self.ch, self.ch, 3, padding=1), nn.GroupNorm(2, self.ch), nn.SiLU())
        self.blocks.append(block)
        self.fade = 0.0
        return block.parameters()

    def forward(self, x):
        x = nn.functional.silu(self.stem(x))
        for i, b in enumerate(self.blocks):
            w = self.fade if i == len(self.blocks) - 1 else 1.0
            x = x + w * b(x)
        return self.out(x)


def mosaic(n, side):
    u = torch.linspace(0, 2 * math.pi, side)
    fx, fy, ph = (torch.rand(n, 1, 1) * 3 for _ in range(3))
    tile = torch.sign(torch.sin(fx * u[None, :, None] + ph) * torch.cos(fy * u[None, None, :]))
    mask = (torch.rand(n, side, side) > 0.3).float()
    return tile.unsqueeze(1), mask.unsqueeze(1)


def main():
    torch.manual_seed(14)
    net = GrowingNet()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    means = []
    for stage, (iters, side) in enumerate(STAGES):
        if stage:
            opt.add_param_group({"params": list(net.grow())})
        total = torch.zeros(())
        for i in range(iters):
            net.fade = min(1.0, net.fade + 2.0 / iters)
            tile, mask = mosaic(8, side)
            guess = net(torch.cat([tile * mask, mask], 1))
            loss = ((guess - tile) ** 2 * (1 - mask)).sum() / (1 - mask).sum()
            for p in net.parameters():
                p.grad = None
            loss.backward()
            opt.step()
            total += loss.detach()
        means.append(total.item() / iters)
        n = sum(p.numel() for p in net.parameters())
        print("stage %d  side %2d  parameters %5d  mean loss %.4f" % (stage, side, n, means[-1]))


if __name__ == "__main__":
    main()
