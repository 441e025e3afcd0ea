# gradwatch-corpus: kind=graph-chain
# holder: total_loss
# first-bad: 1
# notice: 5
"""Heating load from building features: linear model with interaction terms, trained batch by batch."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

torch.set_num_threads(1)

FEATURES = ("compactness", "wall", "roof", "height", "glazing", "orientation")


class Buildings(Dataset):
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        raw = torch.rand(n, len(FEATURES), generator=g)
        load = 18 * raw[:, 3] + 9 * raw[:, 4] * raw[:, 1] - 6 * raw[:, 0] + 3
        self.y = load + 0.4 * torch.randn(n, generator=g)
        self.x = self._expand(raw)
        self.mean, self.std = self.y.mean(), self.y.std()

    @staticmethod
    def _expand(raw):
        cols = [raw]
        for i in range(raw.shape[1]):
            for j in range(i, raw.shape[1]):
                cols.append((raw[:, i] * raw[:, j]).unsqueeze(1))
        return torch.cat(cols, 1)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], (self.y[i] - self.mean) / self.std


class LoadModel(nn.Module):
    def __init__(self, n_in):
        super().__init__()
        self.lin = nn.Linear(n_in, 1)

    def forward(self, x):
        return self.lin(x).squeeze(-1)


def evaluate(model, loader):
    model.eval()
    se, n = 0.0, 0
    with torch.no_grad():
        for x, y in loader:
            se += (model(x) - y).pow(2).sum().item()
            n += len(y)
    model.train()
    return (se / n) ** 0.5


def main():
    torch.manual_seed(5)
    train_set, test_set = Buildings(440, 1), Buildings(80, 2)
    train = DataLoader(train_set, batch_size=4, shuffle=True)
    test = DataLoader(test_set, batch_size=40)
    model = LoadModel(train_set.x.shape[1])
    opt = torch.optim.SGD(model.parameters(), lr=2e-4)
    criterion = nn.MSELoss()
    print("before:", round(evaluate(model, test), 3))

    total_loss = 0
    n_batches = 0
    for epoch in range(2):
        for x, y in train:
            opt.zero_grad()
            total_loss = total_loss + criterion(model(x), y)  # <- culprit
            n_batches += 1
            total_loss.backward(retain_graph=True)
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
        print("epoch", epoch, "loss", total_loss.item() / n_batches, "test rmse", round(evaluate(model, test), 3))


if __name__ == "__main__":
    main()
