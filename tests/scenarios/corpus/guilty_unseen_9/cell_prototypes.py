# gradwatch-corpus: kind=graph-held
# holder: atlas.centre | self.centre | atlas.centre[c] | self.centre[c]
# first-bad: 1
"""Deep clustering of single-cell counts: an autoencoder whose latent space is drawn to slowly moving cell-type centres."""
import torch
from torch import nn


class CountSim:
    """Negative-binomial-like counts for a handful of cell types."""

    def __init__(self, types=6, genes=200, seed=0):
        self.g = torch.Generator().manual_seed(seed)
        self.rate = torch.rand(types, genes, generator=self.g).pow(3) * 8

    def take(self, n):
        t = torch.randint(0, self.rate.shape[0], (n,), generator=self.g)
        depth = 0.5 + torch.rand(n, 1, generator=self.g)
        return torch.poisson(self.rate[t] * depth, generator=self.g), t


class Atlas:
    def __init__(self, k, dim, decay=0.95):
        self.k, self.decay = k, decay
        self.centre = {c: torch.randn(dim) * 0.5 for c in range(k)}

    def table(self):
        return torch.stack([self.centre[c] for c in range(self.k)])

    def nearest(self, z):
        with torch.no_grad():
            return torch.cdist(z, self.table()).argmin(1)

    def pull(self, z, which):
        anchor = self.table().detach()[which]
        return (z - anchor).pow(2).sum(1).mean()

    def move(self, z, which):
        for c in which.unique().tolist():
            mine = z[which == c].mean(0)  # <- culprit
            self.centre[c] = torch.lerp(mine, self.centre[c], self.decay)  # <- culprit


class Auto(nn.Module):
    def __init__(self, genes, dim):
        super().__init__()
        self.inp = nn.Sequential(nn.Linear(genes, 64), nn.ELU(), nn.Linear(64, dim))
        self.out = nn.Sequential(nn.Linear(dim, 64), nn.ELU(), nn.Linear(64, genes))

    def forward(self, counts):
        z = self.inp(torch.log1p(counts))
        return z, self.out(z)


def purity(which, types):
    s = 0
    for c in which.unique():
        s += types[which == c].bincount().max().item()
    return s / len(types)


torch.manual_seed(1)
sim, atlas = CountSim(), Atlas(8, 10)
ae = Auto(200, 10)
opt = torch.optim.RMSprop(ae.parameters(), lr=1e-3)

for epoch in range(5):
    tot = 0.0
    for _ in range(64):
        counts, kind = sim.take(256)
        z, log_rate = ae(counts)
        code = atlas.nearest(z)
        recon = nn.functional.poisson_nll_loss(log_rate, counts)
        objective = recon + 0.02 * atlas.pull(z, code)
        opt.zero_grad()
        objective.backward()
        opt.step()
        atlas.move(z, code)  # <- culprit
        tot += recon.item()
    counts, kind = sim.take(400)
    with torch.no_grad():
        z, _ = ae(counts)
    print(f"epoch {epoch}: nll {tot / 64:.4f} purity {purity(atlas.nearest(z), kind):.3f}")
