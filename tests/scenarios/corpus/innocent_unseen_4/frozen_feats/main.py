# gradwatch-corpus: kind=none
# about: feature memo fills during the first epoch and is then steady, no graph (warm cache)
"""Linear probe plus small adapter on frozen photo features."""
import torch
from torch import nn

from backbone import Backbone
from photos import Photos

if __name__ == "__main__":
    torch.manual_seed(60)
    photos, trunk = Photos(), Backbone()
    probe = nn.Sequential(nn.LayerNorm(512), nn.Linear(512, 64), nn.ReLU(), nn.Linear(64, 4))
    opt = torch.optim.Adam(probe.parameters(), lr=1e-3)
    it = 0
    for epoch in range(12):
        scores = []
        for ids in torch.randperm(photos.n).split(30):
            feats = torch.stack([trunk.lookup(i, photos.load) for i in ids.tolist()])
            z = probe(feats)
            xe = nn.functional.cross_entropy(z, photos.kind[ids])
            opt.zero_grad()
            xe.backward()
            opt.step()
            scores.append((xe.detach(), (z.detach().argmax(1) == photos.kind[ids]).float().mean()))
            it += 1
        xe, acc = (torch.stack(c).mean().item() for c in zip(*scores))
        print(f"epoch {epoch} it {it} xe {xe:.3f} acc {acc:.3f} memo {len(trunk.memo)}")
