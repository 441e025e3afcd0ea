# gradwatch-corpus: kind=graph-held
# holder: self.trunk._forward_hooks | self.net.trunk._forward_hooks | press.net.trunk._forward_hooks | layer._forward_hooks | seen | tap.seen
# first-bad: 1
"""Line segmentation of manuscript pages with a consistency term between a page and its faded copy.

The consistency term compares an intermediate map of the first pass with the final map of the second.
"""
from contextlib import ExitStack, contextmanager
from types import SimpleNamespace

import torch
from torch import nn
import torch.nn.functional as F


class Trunk(nn.Sequential):
    def __init__(self, wide):
        super().__init__(nn.Conv2d(1, wide, 3, padding=1), nn.ReLU(),
                         nn.Conv2d(wide, wide, 3, padding=1, stride=2), nn.ReLU())


class PageNet(nn.Module):
    def __init__(self, wide=8):
        super().__init__()
        self.trunk = Trunk(wide)
        self.neck = nn.Conv2d(wide, wide, 3, padding=2, dilation=2)
        self.ink = nn.Conv2d(wide, 1, 1)

    def forward(self, page):
        return self.ink(F.relu(self.neck(self.trunk(page))))


@contextmanager
def tapping(layer, name="map"):
    """Gives access to what `layer` produced the first time it was called inside the block."""
    seen = {}

    def keep(_layer, _given, made):
        seen.setdefault(name, made)  # <- culprit

    tap = layer.register_forward_hook(keep)  # <- culprit
    with ExitStack() as undo:
        undo.callback(setattr, layer, "tapped", False)
        layer.tapped = True
        yield SimpleNamespace(seen=seen, handle=tap)


class Scriptorium:
    """Makes pages: dark wavy lines on a light ground, with their masks at half size."""

    def __init__(self, seed, side=32, many=6):
        self.gen = torch.Generator().manual_seed(seed)
        self.side, self.many = side, many

    def __iter__(self):
        row = torch.arange(self.side).view(1, -1, 1).float()
        col = torch.arange(self.side).view(1, 1, -1).float()
        while True:
            shift, pitch, sway = torch.rand(3, self.many, 1, 1, generator=self.gen)
            wave = torch.cos((row + 3 * sway * torch.sin(col / 6) + 9 * shift) * (0.6 + 0.5 * pitch))
            mask = (wave > 0.5).float().unsqueeze(1)
            grain = 0.3 * torch.randn(mask.shape, generator=self.gen)
            yield 1 - 0.8 * mask + grain, F.avg_pool2d(mask, 2).round()

    def fade(self, page):
        return page * 0.6 + 0.4 + 0.05 * torch.randn(page.shape, generator=self.gen)


class Press:
    def __init__(self, net, makers, agree=0.1):
        self.net, self.makers, self.agree = net, makers, agree
        self.opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)

    def consistency(self, page):
        with tapping(self.net.trunk) as tap:
            clean = self.net(page)
            faded = self.net(self.makers.fade(page))
        first = tap.seen["map"].mean(1, keepdim=True)
        return clean, (torch.sigmoid(first) - torch.sigmoid(faded)).square().mean()

    def pull(self, page, mask):
        clean, gap = self.consistency(page)
        fit = F.binary_cross_entropy_with_logits(clean, mask)
        self.opt.zero_grad()
        (fit + self.agree * gap).backward()
        self.opt.step()
        return fit.item(), gap.item()


def main(pulls=300, seed=21):
    torch.manual_seed(seed)
    makers = Scriptorium(seed)
    press = Press(PageNet(), makers)
    for n, (page, mask) in zip(range(pulls), makers):
        fit, gap = press.pull(page, mask)
        if n % 60 == 0:
            print(f"pull {n:3d}: fit {fit:.4f} gap {gap:.4f}")
    print("finished after", pulls)


if __name__ == "__main__":
    main()
