# gradwatch-corpus: kind=graph-held
# holder: probe.maps | self.maps | probe.maps['bottleneck']
# first-bad: 1
"""Lesion segmentation on small synthetic slices; bottleneck features go to a t-SNE figure later."""
from collections import defaultdict
from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class FeatureProbe:
    layer: str
    maps: dict = field(default_factory=lambda: defaultdict(list))

    def attach(self, net):
        module = dict(net.named_modules())[self.layer]
        return module.register_forward_hook(self)

    def __call__(self, module, inputs, output):
        pooled = output.mean(dim=(2, 3))
        self.maps[self.layer].append(pooled)  # <- culprit

    def matrix(self):
        return torch.cat(self.maps[self.layer]).detach().numpy()


def double_conv(cin, cout):
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, padding=1),
        nn.InstanceNorm2d(cout),
        nn.LeakyReLU(0.1),
        nn.Conv2d(cout, cout, 3, padding=1),
        nn.LeakyReLU(0.1),
    )


class MiniUNet(nn.Module):
    def __init__(self, base=6):
        super().__init__()
        self.down = double_conv(1, base)
        self.bottleneck = double_conv(base, 2 * base)
        self.up = nn.ConvTranspose2d(2 * base, base, 2, stride=2)
        self.merge = double_conv(2 * base, base)
        self.head = nn.Conv2d(base, 1, 1)

    def forward(self, x):
        skip = self.down(x)
        deep = self.bottleneck(F.max_pool2d(skip, 2))
        return self.head(self.merge(torch.cat([skip, self.up(deep)], dim=1)))


def phantom(n, size=28):
    yy, xx = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    cy = torch.randint(8, size - 8, (n, 1, 1))
    cx = torch.randint(8, size - 8, (n, 1, 1))
    r = torch.randint(3, 7, (n, 1, 1))
    mask = ((yy - cy) ** 2 + (xx - cx) ** 2 <= r ** 2).float()
    image = 0.5 * mask + 0.25 * torch.randn(n, size, size)
    return image[:, None], mask[:, None]


def soft_dice(logits, mask, eps=1.0):
    p = logits.sigmoid()
    inter = (p * mask).sum(dim=(1, 2, 3))
    union = p.sum(dim=(1, 2, 3)) + mask.sum(dim=(1, 2, 3))
    return 1 - ((2 * inter + eps) / (union + eps)).mean()


torch.manual_seed(31)
net = MiniUNet()
probe = FeatureProbe("bottleneck")
probe.attach(net)
optimizer = torch.optim.NAdam(net.parameters(), lr=3e-3)

for it in range(90):
    image, mask = phantom(8)
    logits = net(image)
    loss = soft_dice(logits, mask) + F.binary_cross_entropy_with_logits(logits, mask)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if (it + 1) % 15 == 0:
        print(f"it {it + 1:3d} loss {loss.item():.4f}")

feats = probe.matrix()
centred = feats - feats.mean(0)
print("features", feats.shape, "total variance %.4f" % centred.var(0).sum())
