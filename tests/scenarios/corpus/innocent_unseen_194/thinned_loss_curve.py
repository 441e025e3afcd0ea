# gradwatch-corpus: kind=none
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(502)


class Curve:
    """A curve of bounded length: when it is full every second point goes."""

    def __init__(self, most=48):
        self.most = most
        self.stride = 1
        self.count = 0
        self.points = []

    def add(self, value):
        if self.count % self.stride == 0:
            self.points.append((self.count, value))
            if len(self.points) >= self.most:
                del self.points[1::2]
                self.stride *= 2
        self.count += 1

    def sketch(self, width=40, marks=" .:-=+*#"):
        values = [v.item() for _, v in self.points]
        low, high = min(values), max(values)
        span = max(high - low, 1e-9)
        picked = values[:: max(1, len(values) // width)]
        return "".join(marks[int((v - low) / span * (len(marks) - 1))] for v in picked)


class CloudMask(nn.Module):
    def __init__(self, bands=4, width=8):
        super().__init__()
        self.a = nn.Conv2d(bands, width, 3, padding=1)
        self.b = nn.Conv2d(width, width, 3, padding=2, dilation=2)
        self.out = nn.Conv2d(2 * width, 1, 1)

    def forward(self, image):
        a = F.relu(self.a(image))
        b = F.relu(self.b(a))
        return self.out(torch.cat([a, b], 1)).squeeze(1)


def scene(n, size=16):
    coarse = torch.randn(n, 1, 4, 4)
    cloud = F.interpolate(coarse, size=(size, size), mode="bilinear", align_corners=False)
    mask = (cloud > 0.2).float()
    bands = torch.tensor([0.9, 0.8, 0.7, 0.2]).view(1, 4, 1, 1)
    return mask * bands + 0.35 * torch.randn(n, 4, size, size), mask.squeeze(1)


def soft_dice(logits, mask):
    p = logits.sigmoid()
    return 1 - (2 * (p * mask).sum() + 1) / (p.sum() + mask.sum() + 1)


def main():
    net = CloudMask()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    curves = {"bce": Curve(), "dice": Curve(most=32)}
    for step in range(500):
        image, mask = scene(6)
        logits = net(image)
        bce = F.binary_cross_entropy_with_logits(logits, mask)
        dice = soft_dice(logits, mask)
        opt.zero_grad()
        (bce + 0.5 * dice).backward()
        opt.step()
        curves["bce"].add(bce)
        curves["dice"].add(dice)
    for name, curve in curves.items():
        print(f"{name:5s} |{curve.sketch()}| every {curve.stride}, last {curve.points[-1][1].item():.3f}")


if __name__ == "__main__":
    main()
