# gradwatch-corpus: kind=graph-chain
# holder: self.state | model.res.state | self.res.state
# first-bad: 1
"""Echo-state forecaster for a Mackey-Glass like series; reservoir fixed, input map + readout trained online."""
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn


@dataclass
class Config:
    n_res: int = 96
    leak: float = 0.35
    rho: float = 0.9
    lanes: int = 16
    steps: int = 150
    lr: float = 2e-3
    seed: int = 11


def mackey_glass(n, tau=17, rng=None):
    x = np.zeros(n + tau)
    x[:tau] = 1.2 + 0.1 * rng.standard_normal(tau)
    for t in range(tau, n + tau - 1):
        x[t + 1] = x[t] + 0.2 * x[t - tau] / (1 + x[t - tau] ** 10) - 0.1 * x[t]
    return x[tau:]


class Reservoir(nn.Module):
    def __init__(self, cfg: Config):
        super().__init__()
        w = torch.randn(cfg.n_res, cfg.n_res) / cfg.n_res ** 0.5
        w = w * (torch.rand_like(w) < 0.2)
        w = w * cfg.rho / torch.linalg.eigvals(w).abs().max()
        self.register_buffer("w", w)
        self.w_in = nn.Linear(3, cfg.n_res)
        self.leak = cfg.leak
        self.state = torch.zeros(cfg.lanes, cfg.n_res)

    def reset(self, lanes):
        self.state = torch.zeros(lanes, self.w.shape[0])

    def forward(self, u):
        pre = self.state @ self.w.T + self.w_in(u)
        self.state = (1 - self.leak) * self.state + self.leak * torch.tanh(pre)  # <- culprit
        return self.state


class Forecaster(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.res = Reservoir(cfg)
        self.readout = nn.Linear(cfg.n_res, 1)

    def forward(self, u):
        return self.readout(self.res(u)).squeeze(-1)


def lag_features(series, t):
    return torch.stack([series[:, t], series[:, t - 3], series[:, t - 6]], dim=-1)


def main(cfg=Config()):
    torch.manual_seed(cfg.seed)
    rng = np.random.default_rng(cfg.seed)
    data = np.stack([mackey_glass(cfg.steps + 20, rng=rng) for _ in range(cfg.lanes)])
    series = torch.tensor(data, dtype=torch.float32)
    series = (series - series.mean()) / series.std()

    model = Forecaster(cfg)
    model.res.reset(cfg.lanes)
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    smooth = None
    for step in range(cfg.steps):
        t = step + 6
        pred = model(lag_features(series, t))
        loss = nn.functional.mse_loss(pred, series[:, t + 1])
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        v = loss.item()
        smooth = v if smooth is None else 0.9 * smooth + 0.1 * v
        if step % 30 == 0:
            print(f"{step:4d} mse={smooth:.4f}")


if __name__ == "__main__":
    main()
