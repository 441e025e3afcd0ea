# gradwatch-corpus: kind=second-backward
# first-bad: 1
"""River level nowcasting: LSTM run along consecutive chunks of one long record."""
import torch
import torch.nn as nn


def simulate(n, seed):
    g = torch.Generator().manual_seed(seed)
    rain = torch.relu(torch.randn(n, generator=g) - 1.0)
    level = torch.zeros(n)
    store = 0.0
    for t in range(n):
        store = 0.92 * store + float(rain[t])
        level[t] = 0.3 * store + 0.02 * store ** 2
    return rain, level


class Nowcaster(nn.Module):
    def __init__(self, n_in=2, hidden=24):
        super().__init__()
        self.hidden_size = hidden
        self.lstm = nn.LSTM(n_in, hidden, batch_first=True)
        self.head = nn.Sequential(nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def initial_state(self, batch):
        z = torch.zeros(1, batch, self.hidden_size)
        return z, z.clone()

    def forward(self, x, state):
        out, state = self.lstm(x, state)
        return self.head(out).squeeze(-1), state


def chunks(x, y, length):
    for i in range(0, x.shape[1] - length, length):
        yield x[:, i:i + length], y[:, i:i + length]


def nse(pred, obs):
    return 1 - (pred - obs).pow(2).sum() / (obs - obs.mean()).pow(2).sum()


def main():
    torch.manual_seed(6)
    gauges = [simulate(4100, s) for s in range(4)]
    rain = torch.stack([r for r, _ in gauges])
    level = torch.stack([lv for _, lv in gauges])
    level = (level - level.mean()) / level.std()
    x = torch.stack([rain[:, 1:], level[:, :-1]], dim=-1)
    y = level[:, 1:]

    model = Nowcaster()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(2):
        state = model.initial_state(x.shape[0])
        running = 0.0
        for k, (cx, cy) in enumerate(chunks(x, y, 20)):
            pred, state = model(cx, state)  # <- culprit
            loss = nn.functional.smooth_l1_loss(pred, cy)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            running += loss.item()
            if k % 50 == 49:
                score = nse(pred.detach(), cy)
                print(f"epoch {epoch} chunk {k + 1} loss {running / 50:.4f} nse {score:.3f}")
                running = 0.0


if __name__ == "__main__":
    main()
