# gradwatch-corpus: kind=none
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class GlazeTiles(Dataset):
    """Sixty fired tiles: oxide fractions, kiln temperature and measured colour."""

    def __init__(self, n=60, seed=79):
        g = torch.Generator().manual_seed(seed)
        self.x = torch.rand(n, 6, generator=g)
        base = torch.randn(6, 3, generator=g)
        self.y = torch.sigmoid(self.x @ base) + 0.05 * torch.randn(n, 3, generator=g)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return i, self.x[i], self.y[i]


class DifficultyTable:
    def __init__(self):
        self.latest = {}

    def update(self, ids, losses):
        for i, value in zip(ids.tolist(), losses.unbind()):
            self.latest[i] = value

    def weights(self, ids):
        if not self.latest:
            return torch.ones(len(ids))
        level = torch.stack(list(self.latest.values())).mean().item()
        raw = [self.latest[i].item() / (level + 1e-8) if i in self.latest else 1.0 for i in ids.tolist()]
        return torch.tensor(raw).clamp(0.25, 4.0)

    def hardest(self, n):
        return sorted(self.latest, key=lambda i: -self.latest[i].item())[:n]


def main():
    torch.manual_seed(79)
    tiles = GlazeTiles()
    loader = DataLoader(tiles, batch_size=12, shuffle=True)
    model = nn.Sequential(nn.Linear(6, 24), nn.GELU(), nn.Linear(24, 3), nn.Sigmoid())
    opt = torch.optim.Adam(model.parameters(), lr=3e-3, weight_decay=1e-4)
    table = DifficultyTable()
    for epoch in range(85):
        total = 0.0
        for ids, x, y in loader:
            per_tile = (model(x) - y).pow(2).mean(1)
            loss = (table.weights(ids) * per_tile).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            table.update(ids, per_tile)
            total += loss.item()
        if epoch % 17 == 0:
            print(f"epoch {epoch} loss {total / len(loader):.5f} hardest {table.hardest(4)}")


if __name__ == "__main__":
    main()
