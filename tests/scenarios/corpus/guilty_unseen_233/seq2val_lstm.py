# gradwatch-corpus: kind=second-backward
# holder: self.hidden | model.hidden | net.hidden
# first-bad: 1
import torch
import torch.nn as nn


class BaseForecaster(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = None

    def init_hidden(self, batch_size):
        raise NotImplementedError

    def repackage(self):
        raise NotImplementedError

    def step_loss(self, x, y):
        y_hat = self(x)
        return torch.mean((y_hat - y) ** 2)


class LSTMForecaster(BaseForecaster):
    def __init__(self, input_dim, hidden_dim, num_layers=1):
        super().__init__()
        self.hidden_dim = hidden_dim
        self.num_layers = num_layers
        self.lstm = nn.LSTM(input_dim, hidden_dim, num_layers, batch_first=True)
        self.linear = nn.Linear(hidden_dim, 1)

    def init_hidden(self, batch_size):
        h = torch.zeros(self.num_layers, batch_size, self.hidden_dim)
        c = torch.zeros(self.num_layers, batch_size, self.hidden_dim)
        self.hidden = (h, c)

    def repackage(self):
        h, c = self.hidden
        self.hidden = (h.detach(), c)  # <- culprit

    def forward(self, x):
        out, self.hidden = self.lstm(x, self.hidden)  # <- culprit
        return self.linear(out)


def electricity(T, n_meters):
    t = torch.arange(T).float()
    series = []
    for m in range(n_meters):
        day = torch.sin(2 * 3.1416 * t / 24 + 0.5 * m)
        week = 0.5 * torch.cos(2 * 3.1416 * t / 168)
        series.append(day + week + 0.1 * torch.randn(T))
    return torch.stack(series).unsqueeze(-1)


def windows(series, seq_len):
    for i in range(0, series.size(1) - seq_len - 1, seq_len):
        x = series[:, i:i + seq_len]
        y = series[:, i + 1:i + 1 + seq_len]
        yield x, y


def train(net, series, epochs=3, seq_len=24):
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5)
    for epoch in range(epochs):
        net.init_hidden(series.size(0))
        total = 0.0
        n = 0
        for x, y in windows(series, seq_len):
            net.repackage()
            optimizer.zero_grad()
            loss = net.step_loss(x, y)
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            optimizer.step()
            total += loss.item()
            n += 1
        scheduler.step()
        print(f"epoch {epoch} mse {total / n:.4f}")


if __name__ == "__main__":
    torch.manual_seed(8)
    net = LSTMForecaster(1, 24)
    train(net, electricity(24 * 40, 6))
