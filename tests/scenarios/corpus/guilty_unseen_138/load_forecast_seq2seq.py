# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
# notice: 0
"""Day-ahead electricity load forecast, LSTM encoder + autoregressive decoder."""
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(64)


class LoadDataset(torch.utils.data.Dataset):
    def __init__(self, days=120, history=24, horizon=8):
        t = torch.arange(days * 24).float()
        week = 0.3 * torch.sin(t / 168 * 6.283)
        day = torch.sin(t / 24 * 6.283 - 1.2)
        self.load = day + week + 0.1 * torch.randn_like(t)
        self.history, self.horizon = history, horizon

    def __len__(self):
        return (len(self.load) - self.history - self.horizon) // 4

    def __getitem__(self, i):
        s = i * 4
        mid = s + self.history
        return self.load[s:mid, None], self.load[mid:mid + self.horizon, None]


class Encoder(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.lstm = nn.LSTM(1, hidden, batch_first=True)

    def forward(self, x):
        _, (h, c) = self.lstm(x)
        return h[0], c[0]


class Decoder(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.inp = nn.Linear(1, hidden)
        self.cell = nn.LSTMCell(hidden, hidden)
        self.proj = nn.Linear(hidden, 1)

    def step(self, y_prev, state):
        h, c = self.cell(torch.relu(self.inp(y_prev)), state)
        return self.proj(h), (h, c)


class Seq2Seq(nn.Module):
    def __init__(self, hidden=20, horizon=8):
        super().__init__()
        self.horizon = horizon
        self.encoder = Encoder(hidden)
        self.decoder = Decoder(hidden)

    def forward(self, x):
        state = self.encoder(x)
        outputs = torch.zeros(x.size(0), self.horizon + 1, 1)
        outputs[:, 0] = x[:, -1]
        for k in range(self.horizon):
            y, state = self.decoder.step(outputs[:, k], state)  # <- culprit
            outputs[:, k + 1] = y  # <- culprit
        return outputs[:, 1:]


def main():
    loader = torch.utils.data.DataLoader(LoadDataset(), batch_size=16, shuffle=True)
    model = Seq2Seq()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    criterion = nn.SmoothL1Loss()
    for epoch in range(20):
        total = 0.0
        for hist, future in loader:
            opt.zero_grad()
            loss = criterion(model(hist), future)
            loss.backward()
            opt.step()
            total += loss.item()
        print(f"epoch {epoch}: {total / len(loader):.4f}")


if __name__ == "__main__":
    main()
