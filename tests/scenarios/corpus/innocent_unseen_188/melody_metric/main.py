# gradwatch-corpus: kind=none
"""Melody similarity with a triplet margin; negatives come from recently seen tunes."""
import torch
import torch.nn as nn
import torch.nn.functional as F

from tiers import Bundle, TieredCache

TUNES = 90


class MelodyNet(nn.Module):
    def __init__(self, dim=20):
        super().__init__()
        self.pitch = nn.Embedding(32, 12)
        self.conv = nn.Conv1d(12, 24, 3, padding=1)
        self.out = nn.Linear(24, dim)

    def forward(self, notes):
        h = torch.relu(self.conv(self.pitch(notes).transpose(1, 2)))
        return F.normalize(self.out(h.amax(-1)), dim=-1)


def variations(tunes, idx, gen, n=6):
    tune = tunes[idx].expand(n, -1)
    noise = torch.randint(-1, 2, tune.shape, generator=gen)
    keep = torch.rand(tune.shape, generator=gen) < 0.7
    return torch.where(keep, tune, (tune + noise).clamp(0, 31))


def main():
    torch.manual_seed(64)
    gen = torch.Generator().manual_seed(65)
    tunes = torch.randint(0, 32, (TUNES, 16), generator=gen)
    net = MelodyNet()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    cache = TieredCache(fast=8, slow=24)
    seen = total = 0
    for step in range(470):
        idx = int(torch.randint(0, TUNES, (1,), generator=gen))
        z = net(variations(tunes, idx, gen))
        anchor, positive = z[:3], z[3:]
        probe = int(torch.randint(0, TUNES, (1,), generator=gen))
        found = cache.get(probe) if probe != idx else None
        negative = net(variations(tunes, (idx + 7) % TUNES, gen, 3)) if found is None else found.detach().key
        seen += found is not None
        loss = F.triplet_margin_loss(anchor, positive, negative, margin=0.6)
        loss = loss + 0.05 * (positive @ positive.T).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        cache.put(idx, Bundle(key=positive, query=anchor))
        total += 1
        if step % 90 == 89:
            print(step + 1, f"{loss.item():.3f} cached-negatives {seen / total:.2f} promoted {cache.promotions}")


if __name__ == "__main__":
    main()
