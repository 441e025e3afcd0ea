# gradwatch-corpus: kind=graph-chain
# holder: state["c"] | state | new_state["c"] | new_state
# first-bad: 1
import time
from dataclasses import dataclass

import torch
import torch.nn as nn


@dataclass
class Config:
    n_series: int = 16
    n_steps: int = 120
    hidden: int = 24
    lr: float = 5e-3
    log_every: int = 24
    seed: int = 123


class OnlineForecaster(nn.Module):
    """sees one value of every series at a time and predicts the next one"""

    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.cell = nn.LSTMCell(1, cfg.hidden)
        self.head = nn.Sequential(nn.Linear(cfg.hidden, 16), nn.Tanh(), nn.Linear(16, 1))

    def zero_state(self):
        return {
            "h": torch.zeros(self.cfg.n_series, self.cfg.hidden),
            "c": torch.zeros(self.cfg.n_series, self.cfg.hidden),
        }

    def forward(self, x, state):
        h, c = self.cell(x, (state["h"], state["c"]))
        y = self.head(h)
        new_state = {"h": h.detach(), "c": c}  # <- culprit
        return y, new_state


def generate(cfg):
    t = torch.arange(cfg.n_steps + 1).float()
    freq = 0.1 + 0.3 * torch.rand(cfg.n_series)
    amp = 0.5 + torch.rand(cfg.n_series)
    noise = 0.05 * torch.randn(cfg.n_steps + 1, cfg.n_series)
    return amp * torch.sin(t[:, None] * freq) + noise


def train(cfg):
    torch.manual_seed(cfg.seed)
    series = generate(cfg)
    model = OnlineForecaster(cfg)
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    loss_fn = nn.SmoothL1Loss()

    state = model.zero_state()
    history, naive = [], []
    t0 = time.time()
    for step in range(cfg.n_steps):
        x = series[step].unsqueeze(1)
        target = series[step + 1].unsqueeze(1)

        pred, state = model(x, state)  # <- culprit
        loss = loss_fn(pred, target)
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()

        history.append(loss.item())
        naive.append(loss_fn(x, target).item())
        if (step + 1) % cfg.log_every == 0:
            k = cfg.log_every
            print("step {:4d} | model {:.4f} | naive {:.4f} | {:.1f}s".format(
                step + 1, sum(history[-k:]) / k, sum(naive[-k:]) / k, time.time() - t0))
    return history


if __name__ == "__main__":
    h = train(Config())
    best = min(range(len(h)), key=h.__getitem__)
    print("best step", best, "loss %.4f" % h[best])
