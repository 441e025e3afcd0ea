# gradwatch-corpus: kind=second-backward
# first-bad: 1
import torch
import torch.nn as nn
from torch.utils.data import Dataset, DataLoader


class TurbineDataset(Dataset):
    """Consecutive windows of a turbine's sensor log, in order."""

    def __init__(self, n_windows=450, window=20, n_turbines=16, seed=0):
        g = torch.Generator().manual_seed(seed)
        total = n_windows * window + 1
        wind = torch.randn(n_turbines, total, generator=g).cumsum(1)
        wind = (wind - wind.mean(1, keepdim=True)) / wind.std(1, keepdim=True)
        gust = torch.rand(n_turbines, total, generator=g)
        power = torch.sigmoid(2 * wind) + 0.05 * gust
        self.x = torch.stack([wind, gust], dim=-1)
        self.y = power
        self.window = window
        self.n_windows = n_windows

    def __len__(self):
        return self.n_windows

    def __getitem__(self, i):
        a = i * self.window
        b = a + self.window
        return self.x[:, a:b], self.y[:, a + 1:b + 1]


class PowerForecaster(nn.Module):
    def __init__(self, input_size=2, hidden_size=24, num_layers=2):
        super().__init__()
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.gru = nn.GRU(input_size, hidden_size, num_layers, batch_first=True)
        self.fc = nn.Linear(hidden_size, 1)

    def init_hidden(self, batch_size):
        return torch.zeros(self.num_layers, batch_size, self.hidden_size)

    def forward(self, x, hidden):
        out, hidden = self.gru(x, hidden)
        return self.fc(out).squeeze(-1), hidden


def train_epoch(model, loader, optimizer, criterion, n_turbines):
    model.train()
    hidden = model.init_hidden(n_turbines)
    total = 0.0
    for i, (x, y) in enumerate(loader):
        x, y = x.squeeze(0), y.squeeze(0)
        optimizer.zero_grad()
        pred, hidden = model(x, hidden)  # <- culprit
        loss = criterion(pred, y)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        total += loss.item()
        if i % 100 == 0:
            print(f"   window {i} mse {loss.item():.4f}")
    return total / len(loader)


@torch.no_grad()
def persistence_error(dataset):
    x = dataset.y[:, :-1]
    return ((x - dataset.y[:, 1:]) ** 2).mean().item()


def main():
    torch.manual_seed(0)
    dataset = TurbineDataset()
    loader = DataLoader(dataset, batch_size=1, shuffle=False)
    model = PowerForecaster()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    criterion = nn.MSELoss()
    print("persistence mse %.4f" % persistence_error(dataset))
    for epoch in range(3):
        mse = train_epoch(model, loader, optimizer, criterion, n_turbines=16)
        print(f"epoch {epoch} mse {mse:.4f}")


if __name__ == "__main__":
    main()
