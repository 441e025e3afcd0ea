# gradwatch-corpus: kind=none
# about: memory climbs by more than 0.5 MB an iteration while the page cache fills, then stops when every page of the archive has been seen once (first pass over the data)
"""Manuscript page classifier (hand A/B/C): dense orientation-energy maps are computed at first sight of a page and kept."""
import math
import time

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import Dataset, RandomSampler

SIDE = 96


class Archive(Dataset):
    """130 synthetic pages; strokes of each scribe have a preferred slant and spacing."""

    def __init__(self, pages=130, orientations=16):
        self.pages = pages
        self.maps = {}
        self.bank = self.gabors(orientations)
        self.scribe = [int(torch.randint(0, 3, (1,))) for _ in range(pages)]

    @staticmethod
    def gabors(count, half=6):
        ax = torch.arange(-half, half + 1.0)
        yy, xx = torch.meshgrid(ax, ax, indexing="ij")
        bank = []
        for i in range(count):
            th = math.pi * i / count
            along = xx * math.cos(th) + yy * math.sin(th)
            bank.append(torch.exp(-(xx ** 2 + yy ** 2) / 18) * torch.cos(0.75 * along))
        bank = torch.stack(bank).unsqueeze(1)
        return bank - bank.mean(dim=(2, 3), keepdim=True)

    def render(self, idx):
        g = torch.Generator().manual_seed(idx)
        ax = torch.linspace(0, 1, SIDE)
        yy, xx = torch.meshgrid(ax, ax, indexing="ij")
        slant = [0.2, 0.5, 0.8][self.scribe[idx]] + 0.1 * torch.randn((), generator=g)
        pitch = 60 + 15 * torch.rand((), generator=g)
        strokes = torch.sin(pitch * (xx * slant.cos() + yy * slant.sin()))
        return strokes + 0.8 * torch.randn(SIDE, SIDE, generator=g)

    def __len__(self):
        return self.pages

    def __getitem__(self, idx):
        if idx not in self.maps:
            page = self.render(idx)
            self.maps[idx] = F.conv2d(page[None, None], self.bank, padding=6).squeeze(0).abs_().log1p_()
        return self.maps[idx], self.scribe[idx]


class Palaeographer(nn.Module):
    def __init__(self, orientations):
        super().__init__()
        self.squeeze = nn.Conv2d(orientations, 8, 4, stride=4)
        self.judge = nn.Linear(8 * 9, 3)

    def forward(self, energy):
        z = F.adaptive_avg_pool2d(F.silu(self.squeeze(energy)), 3)
        return self.judge(z.flatten(1))


def crops(energy, howmany, size=48):
    spots = torch.randint(0, SIDE - size, (howmany, 2)).tolist()
    return torch.stack([energy[:, r:r + size, c:c + size] for r, c in spots])


def main(passes=3):
    torch.manual_seed(230)
    archive = Archive()
    reader = Palaeographer(16)
    opt = torch.optim.Adam(reader.parameters(), lr=1e-3)
    n = 0
    for sweep in range(passes):
        clock, right, cost_sum = time.perf_counter(), 0, 0.0
        for idx in RandomSampler(archive):
            energy, hand = archive[idx]
            logits = reader(crops(energy, 6))
            cost = F.cross_entropy(logits, torch.full((6,), hand))
            opt.zero_grad()
            cost.backward()
            opt.step()
            cost_sum += cost.item()
            right += int(logits.sum(0).argmax() == hand)
            n += 1
        print(f"pass {sweep}: cost {cost_sum / len(archive):.4f} right {right}/{len(archive)} "
              f"({n} updates, {time.perf_counter() - clock:.1f}s, {len(archive.maps)} pages kept)")


if __name__ == "__main__":
    main()
