import torch
from torch.utils.data import Dataset


class EmbeddingPairs(Dataset):
    def __init__(self, n, dim, n_clusters, noise=0.35):
        g = torch.Generator().manual_seed(11)
        centers = torch.randn(n_clusters, dim, generator=g)
        idx = torch.randint(0, n_clusters, (n,), generator=g)
        base = centers[idx]
        self.a = base + noise * torch.randn(n, dim, generator=g)
        self.b = base + noise * torch.randn(n, dim, generator=g)

    def __len__(self):
        return len(self.a)

    def __getitem__(self, i):
        return self.a[i], self.b[i]
