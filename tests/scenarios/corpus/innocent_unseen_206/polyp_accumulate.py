# gradwatch-corpus: kind=none
import torch
from torch import nn
import torch.nn.functional as F


class MiniUNet(nn.Module):
    def __init__(self, c=6):
        super().__init__()
        self.d1 = nn.Conv2d(1, c, 3, padding=1)
        self.d2 = nn.Conv2d(c, 2 * c, 3, stride=2, padding=1)
        self.mid = nn.Conv2d(2 * c, 2 * c, 3, padding=1)
        self.up = nn.ConvTranspose2d(2 * c, c, 2, stride=2)
        self.out = nn.Conv2d(2 * c, 1, 1)
        self.skips = {}

    def forward(self, x):
        self.skips["full"] = torch.relu(self.d1(x))
        self.skips["half"] = torch.relu(self.d2(self.skips["full"]))
        m = torch.relu(self.mid(self.skips["half"])) + self.skips["half"]
        u = torch.relu(self.up(m))
        return self.out(torch.cat([u, self.skips["full"]], 1)).squeeze(1)


def soft_dice(logits, mask):
    p = logits.sigmoid()
    inter = (p * mask).sum((1, 2))
    return 1 - (2 * inter + 1) / (p.sum((1, 2)) + mask.sum((1, 2)) + 1)


class Meter:
    def __init__(self):
        self.total, self.count = 0.0, 0
        self.per_image = []

    def add(self, values):
        self.total += values.sum().item()
        self.count += values.numel()
        self.per_image.extend(values.tolist())

    def flush(self):
        mean = self.total / max(self.count, 1)
        worst = max(self.per_image)
        self.total, self.count = 0.0, 0
        self.per_image.clear()
        return mean, worst


def frames(n, size, gen):
    yy, xx = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    c = torch.randint(6, size - 6, (n, 2), generator=gen)
    r = torch.randint(3, 7, (n,), generator=gen)
    d2 = (yy[None] - c[:, 0, None, None]) ** 2 + (xx[None] - c[:, 1, None, None]) ** 2
    mask = (d2 < r[:, None, None] ** 2).float()
    img = mask * 0.8 + 0.5 * torch.randn(n, size, size, generator=gen)
    return img.unsqueeze(1), mask


def main():
    torch.manual_seed(12)
    gen = torch.Generator().manual_seed(12)
    net = MiniUNet()
    opt = torch.optim.AdamW(net.parameters(), lr=4e-3)
    accumulate = 4
    meter, norms = Meter(), []
    opt.zero_grad()
    for micro in range(1, 1601):
        img, mask = frames(4, 24, gen)
        logits = net(img)
        dice = soft_dice(logits, mask)
        bce = F.binary_cross_entropy_with_logits(logits, mask)
        loss = (dice.mean() + bce) / accumulate
        loss.backward()
        meter.add(dice)
        if micro % accumulate == 0:
            norms.append(nn.utils.clip_grad_norm_(net.parameters(), 1.0).item())
            opt.step()
            opt.zero_grad()
        if micro % 400 == 0:
            mean, worst = meter.flush()
            print(micro, f"dice loss {mean:.3f} worst {worst:.3f} norm {sum(norms[-50:]) / 50:.2f}")


if __name__ == "__main__":
    main()
