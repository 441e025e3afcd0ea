# gradwatch-corpus: kind=second-backward
# holder: self.state | model.state
# first-bad: 1
# notice: 0
"""Electricity load forecasting with a stateful LSTM.

The series is cut in consecutive windows, and the state at the end of one window is the
initial state of the next (as in Keras' stateful=True).
"""
import numpy as np
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(0)
np.random.seed(0)

SERIES = 16      # households, in parallel
WINDOW = 24
HIDDEN = 32
EPOCHS = 4


def synthetic_load(n_series, n_hours):
    """Daily and weekly cycle with noise, scaled to zero mean and unit variance."""
    t = np.arange(n_hours)[None, :]
    phase = np.random.rand(n_series, 1) * 2 * np.pi
    daily = np.sin(2 * np.pi * t / 24 + phase)
    weekly = 0.4 * np.sin(2 * np.pi * t / 168 + phase / 2)
    y = daily + weekly + 0.1 * np.random.randn(n_series, n_hours)
    y = (y - y.mean(1, keepdims=True)) / y.std(1, keepdims=True)
    return torch.tensor(y, dtype=torch.float32).unsqueeze(-1)


class LoadForecaster(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.hidden = hidden
        self.lstm = nn.LSTM(1, hidden, batch_first=True)
        self.drop = nn.Dropout(0.1)
        self.out = nn.Linear(hidden, 1)
        self.state = None

    def reset_state(self, batch):
        zeros = torch.zeros(1, batch, self.hidden)
        self.state = (zeros, zeros.clone())

    def forward(self, x):
        if self.state is None:
            self.reset_state(x.size(0))
        y, (h, c) = self.lstm(x, self.state)
        # keep the state for the next window, cut off from this one
        self.state = (h.detach(), c)  # <- culprit
        return self.out(self.drop(y))


class WindowLoader:
    """Consecutive (input, target) windows, in order of time."""

    def __init__(self, data, window):
        self.data, self.window = data, window

    def __len__(self):
        return (self.data.size(1) - 1) // self.window

    def __iter__(self):
        for i in range(len(self)):
            s = i * self.window
            yield self.data[:, s:s + self.window], self.data[:, s + 1:s + self.window + 1]


def train_epoch(model, loader, criterion, optimizer):
    model.train()
    model.reset_state(SERIES)
    total = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        pred = model(x)
        loss = criterion(pred, y)
        loss.backward()  # <- culprit
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        total += loss.item()
    return total / len(loader)


def evaluate(model, loader, criterion):
    model.eval()
    model.reset_state(SERIES)
    with torch.no_grad():
        return sum(criterion(model(x), y).item() for x, y in loader) / len(loader)


data = synthetic_load(SERIES, 24 * 40 + 1)
split = 24 * 30
train_loader = WindowLoader(data[:, :split + 1], WINDOW)
valid_loader = WindowLoader(data[:, split:], WINDOW)

model = LoadForecaster(HIDDEN)
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)

for epoch in range(EPOCHS):
    train_loss = train_epoch(model, train_loader, criterion, optimizer)
    valid_loss = evaluate(model, valid_loader, criterion)
    print(f"epoch {epoch + 1}: train {train_loss:.4f}, valid {valid_loss:.4f}")
