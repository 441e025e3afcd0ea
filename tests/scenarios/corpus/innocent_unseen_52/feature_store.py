# gradwatch-corpus: kind=none
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Notes(Dataset):
    """Short tones of four instruments."""

    def __init__(self, n=480, length=256):
        self.n, self.length = n, length

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        rng = np.random.default_rng(i)
        kind = i % 4
        t = np.arange(self.length) / self.length
        pitch = rng.uniform(8, 16)
        wave = sum(np.sin(6.283 * pitch * (h + 1) * t) / (h + 1) ** (0.5 + kind) for h in range(4))
        return i, (wave + 0.2 * rng.standard_normal(self.length)).astype(np.float32), kind


def collate(items):
    index, waves, kinds = zip(*items)
    return list(index), torch.from_numpy(np.stack(waves)), torch.tensor(kinds)


class FeatureStore:
    """Frozen features by sample, computed once and looked up in the later epochs."""

    def __init__(self, extractor, n):
        self.extractor = extractor.requires_grad_(False).eval()
        self.cells = np.empty(n, dtype=object)
        self.misses = 0

    def __call__(self, index, waves):
        new = [k for k, i in enumerate(index) if self.cells[i] is None]
        if new:
            feats = self.extractor(waves[new].unsqueeze(1)).flatten(1)
            for k, f in zip(new, feats):
                self.cells[index[k]] = f.clone()
            self.misses += len(new)
        return torch.stack([self.cells[i] for i in index])


class Table:
    def __init__(self, **columns):
        self.columns = {name: np.zeros(0, dtype=kind) for name, kind in columns.items()}

    def append(self, **row):
        for name, value in row.items():
            self.columns[name] = np.append(self.columns[name], value)

    def by(self, key, value):
        keys = self.columns[key]
        return {k.item(): float(self.columns[value][keys == k].mean()) for k in np.unique(keys)}


def main(epochs=4):
    torch.manual_seed(0)
    data = Notes()
    loader = DataLoader(data, batch_size=20, shuffle=True, collate_fn=collate, num_workers=1,
                        persistent_workers=True)
    extractor = nn.Sequential(nn.Conv1d(1, 16, 9, stride=4), nn.ReLU(), nn.AvgPool1d(3))
    store = FeatureStore(extractor, len(data))
    head = nn.Sequential(nn.LazyLinear(32), nn.ReLU(), nn.Linear(32, 4))
    opt = None
    table = Table(epoch=np.int64, loss=np.float64)
    for epoch in range(epochs):
        for index, waves, kinds in loader:
            logits = head(store(index, waves))
            if opt is None:
                opt = torch.optim.Adam(head.parameters(), lr=2e-3)
            loss = F.cross_entropy(logits, kinds)
            opt.zero_grad()
            loss.backward()
            opt.step()
            table.append(epoch=epoch, loss=loss.item())
        print(f"epoch {epoch}  stored {store.misses}  loss {table.by('epoch', 'loss')[epoch]:.4f}")


if __name__ == "__main__":
    main()
