# gradwatch-corpus: kind=none
"""Half-hour-ahead glucose forecast from a simulated CGM trace."""
import torch
import torch.nn as nn

from monitoring import ErrorView


class Forecaster(nn.Module):
    def __init__(self, hidden=24, horizon=6):
        super().__init__()
        self.rnn = nn.GRU(3, hidden, batch_first=True)
        self.head = nn.Linear(hidden, horizon)

    def forward(self, x):
        _, h = self.rnn(x)
        return x[:, -1:, 0] + self.head(h[-1])


def simulate(days, seed):
    gen = torch.Generator().manual_seed(seed)
    n = days * 288
    meals = (torch.rand(n, generator=gen) < 0.015).float() * (0.5 + torch.rand(n, generator=gen))
    insulin = torch.roll(meals, 2) * 0.8
    glucose = torch.zeros(n)
    level, gut, act = 0.0, 0.0, 0.0
    kick = 0.02 * torch.randn(n, generator=gen)
    for t in range(n):
        gut = 0.9 * gut + meals[t].item()
        act = 0.93 * act + insulin[t].item()
        level = 0.97 * level + 0.12 * gut - 0.09 * act + kick[t].item()
        glucose[t] = level
    return torch.stack([glucose, meals, insulin], -1)


def sample(series, gen, n=16, past=18, horizon=6):
    start = torch.randint(0, len(series) - past - horizon, (n,), generator=gen)
    x = torch.stack([series[s:s + past] for s in start.tolist()])
    y = torch.stack([series[s + past:s + past + horizon, 0] for s in start.tolist()])
    return x, y


class Session:
    def __init__(self):
        self.model = Forecaster()
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=4e-3)
        self.view = ErrorView(span=30)
        self.gen = torch.Generator().manual_seed(2)

    def fit_step(self, series):
        x, y = sample(series, self.gen)
        residual = self.model(x) - y
        weight = 1.0 + (y.abs() > 1.0).float()
        loss = (weight * residual.pow(2)).mean()
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        self.opt.step()
        self.view.recent = self.view.recent + [residual]
        return loss.item()


def run():
    torch.manual_seed(0)
    series = simulate(4, seed=9)
    session = Session()
    for it in range(450):
        value = session.fit_step(series)
        if it % 50 == 49:
            print(f"it {it + 1} loss {value:.4f} p90 {session.view.quantile(0.9):.3f} drift {session.view.drift():+.4f}")


if __name__ == "__main__":
    run()
