# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
"""Nuclei segmentation, small attention U-Net."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class Nuclei(Dataset):
    def __init__(self, n=64, size=32, seed=0):
        self.n, self.size, self.seed = n, size, seed

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(self.seed * 1000 + i)
        yy, xx = torch.meshgrid(torch.arange(self.size), torch.arange(self.size), indexing="ij")
        mask = torch.zeros(self.size, self.size)
        for cx, cy, r in (torch.rand(4, 3, generator=g) * torch.tensor([32.0, 32.0, 4.0])).tolist():
            mask[(xx - cx) ** 2 + (yy - cy) ** 2 < (r + 2) ** 2] = 1
        img = mask * 0.8 + 0.3 * torch.randn(self.size, self.size, generator=g)
        return img[None], mask[None]


class ConvBlock(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(cin, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU(inplace=True),
            nn.Conv2d(cout, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU(inplace=True),
        )

    def forward(self, x):
        return self.net(x)


class AttentionGate(nn.Module):
    def __init__(self, ch_gate, ch_skip, inner):
        super().__init__()
        self.wg = nn.Conv2d(ch_gate, inner, 1)
        self.ws = nn.Conv2d(ch_skip, inner, 1)
        self.psi = nn.Conv2d(inner, 1, 1)
        self.floor = 0.1

    def forward(self, gate, skip):
        a = torch.tanh(self.wg(gate) + self.ws(skip))
        alpha = torch.sigmoid(self.psi(a))
        alpha += self.floor  # <- culprit
        return skip * alpha


class AttentionUNet(nn.Module):
    def __init__(self, base=8):
        super().__init__()
        self.down1 = ConvBlock(1, base)
        self.down2 = ConvBlock(base, base * 2)
        self.up = nn.ConvTranspose2d(base * 2, base, 2, stride=2)
        self.gate = AttentionGate(base, base, base // 2)
        self.merge = ConvBlock(base * 2, base)
        self.out = nn.Conv2d(base, 1, 1)

    def forward(self, x):
        s1 = self.down1(x)
        s2 = self.down2(F.max_pool2d(s1, 2))
        g = self.up(s2)
        return self.out(self.merge(torch.cat([g, self.gate(g, s1)], dim=1)))


def bce_dice(logits, target):
    p = logits.sigmoid()
    dice = 1 - (2 * (p * target).sum() + 1) / (p.sum() + target.sum() + 1)
    return F.binary_cross_entropy_with_logits(logits, target) + dice


def main():
    torch.manual_seed(0)
    loader = DataLoader(Nuclei(), batch_size=8, shuffle=True)
    model = AttentionUNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 4, 0.5)
    print("params", sum(p.numel() for p in model.parameters()))
    for epoch in range(6):
        model.train()
        total = 0.0
        for img, mask in loader:
            optimizer.zero_grad()
            loss = bce_dice(model(img), mask)
            loss.backward()
            optimizer.step()
            total += loss.item()
        scheduler.step()
        print(f"epoch {epoch} loss {total / len(loader):.4f}")


if __name__ == "__main__":
    main()
