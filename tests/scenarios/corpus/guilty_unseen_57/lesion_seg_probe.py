# gradwatch-corpus: kind=graph-held
# holder: self.profile | probe.profile | self.profile[name] | probe.profile["enc2"] | probe.profile["bottleneck"] | store
# first-bad: 1
"""2-D lesion segmentation with a small U-Net; keeps an activation profile of chosen layers."""
from collections import defaultdict
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn


def conv_block(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.GroupNorm(4, o), nn.ReLU())


class UNetS(nn.Module):
    def __init__(self, w=8):
        super().__init__()
        self.enc1 = conv_block(1, w)
        self.enc2 = conv_block(w, 2 * w)
        self.bottleneck = conv_block(2 * w, 4 * w)
        self.dec2 = conv_block(6 * w, 2 * w)
        self.dec1 = conv_block(3 * w, w)
        self.out = nn.Conv2d(w, 1, 1)

    def forward(self, x):
        e1 = self.enc1(x)
        e2 = self.enc2(F.max_pool2d(e1, 2))
        b = self.bottleneck(F.max_pool2d(e2, 2))
        d2 = self.dec2(torch.cat([F.interpolate(b, scale_factor=2), e2], 1))
        d1 = self.dec1(torch.cat([F.interpolate(d2, scale_factor=2), e1], 1))
        return self.out(d1)


class ActivationProfile:
    """Per-channel mean response over training, to spot dead filters."""

    def __init__(self, net, layers):
        self.profile = defaultdict(list)
        self.handles = [
            getattr(net, name).register_forward_hook(partial(self._record, name)) for name in layers
        ]

    def _record(self, name, module, inputs, output):
        if module.training:
            self.profile[name].append(output.mean(dim=(0, 2, 3)))  # <- culprit

    def dead_channels(self, name, eps=1e-3):
        return int((torch.stack(self.profile[name]).mean(0) < eps).sum())

    def close(self):
        for h in self.handles:
            h.remove()


def dice_loss(logits, mask):
    p = logits.sigmoid()
    inter = (p * mask).sum((1, 2, 3))
    return 1 - ((2 * inter + 1) / (p.sum((1, 2, 3)) + mask.sum((1, 2, 3)) + 1)).mean()


def scans(n, size=32):
    yy, xx = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    c = torch.randint(8, size - 8, (n, 2))
    r = torch.randint(3, 7, (n,))
    d2 = (yy - c[:, 0, None, None]) ** 2 + (xx - c[:, 1, None, None]) ** 2
    mask = (d2 < r[:, None, None] ** 2).float().unsqueeze(1)
    return mask + 0.6 * torch.randn(n, 1, size, size), mask


def evaluate(net, n=16):
    net.eval()
    with torch.no_grad():
        x, m = scans(n)
        score = 1 - dice_loss(net(x), m).item()
    net.train()
    return score


def main():
    torch.manual_seed(17)
    torch.set_num_threads(1)
    net = UNetS()
    probe = ActivationProfile(net, ("enc2", "bottleneck"))
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3)
    for it in range(100):
        x, mask = scans(6)
        logits = net(x)
        loss = dice_loss(logits, mask) + F.binary_cross_entropy_with_logits(logits, mask)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 25 == 0:
            print(f"it {it} loss {loss.item():.3f} dice {evaluate(net):.3f}")
    print({n: probe.dead_channels(n) for n in list(probe.profile)})
    probe.close()


if __name__ == "__main__":
    main()
