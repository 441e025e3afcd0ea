# gradwatch-corpus: kind=none
"""Denoise functions on meshes of many sizes: spectral filters. The Laplacian's eigenvectors are costly, so
they are kept per mesh: the cache fills during the first pass over the meshes and then stays."""
from functools import cached_property, lru_cache

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset


@lru_cache(maxsize=64)
def spectrum(n, seed):
    g = torch.Generator().manual_seed(seed)
    p = torch.rand(n, 2, generator=g)
    w = torch.exp(-torch.cdist(p, p) ** 2 / 0.02)
    lap = torch.diag(w.sum(1)) - w
    val, vec = torch.linalg.eigh(lap)
    return val / val[-1], vec


class Mesh:
    def __init__(self, n, seed):
        self.n, self.seed = n, seed

    @cached_property
    def adjacency(self):
        _, vec = spectrum(self.n, self.seed)
        return (vec.abs() > 0.1).float().to_sparse()

    def signal(self):
        val, vec = spectrum(self.n, self.seed)
        return vec @ (torch.randn(self.n, 4) * torch.exp(-20 * val)[:, None])


class Meshes(Dataset):
    def __init__(self, n=24):
        self.meshes = [Mesh(60 + 5 * i, i) for i in range(n)]

    def __len__(self):
        return len(self.meshes)

    def __getitem__(self, i):
        m = self.meshes[i]
        clean = m.signal()
        return m, clean, clean + 0.3 * torch.randn_like(clean)


class SpectralFilter(nn.Module):
    def __init__(self, channels=4, order=6):
        super().__init__()
        self.theta = nn.Parameter(0.1 * torch.randn(order, channels))
        self.mix = nn.Linear(channels, channels)

    def forward(self, mesh, x):
        val, vec = spectrum(mesh.n, mesh.seed)
        gain = torch.stack([torch.cos(k * val * 3.14) for k in range(len(self.theta))], 1) @ self.theta
        degree = torch.sparse.sum(mesh.adjacency, 1).to_dense()[:, None] / mesh.n
        return vec @ (gain * (vec.T @ self.mix(x))) + 0 * degree


def first(batch):
    return batch[0]


def main(epochs=6):
    torch.manual_seed(2)
    net = nn.ModuleList([SpectralFilter(), SpectralFilter()])
    opt = torch.optim.Adam(net.parameters(), lr=2e-2)
    loader = DataLoader(Meshes(), batch_size=1, shuffle=True, collate_fn=first)
    seen = {}
    for epoch in range(epochs):
        for mesh, clean, noisy in loader:
            x = noisy
            for layer in net:
                x = x + layer(mesh, torch.tanh(x))
            loss = F.mse_loss(x, clean)
            opt.zero_grad()
            loss.backward()
            opt.step()
            seen[mesh.seed] = loss.detach()
        print(epoch, f"{torch.stack(list(seen.values())).mean().item():.4f}", spectrum.cache_info())


if __name__ == "__main__":
    main()
