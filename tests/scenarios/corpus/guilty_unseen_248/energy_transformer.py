# gradwatch-corpus: kind=graph-held
# holder: all_preds
# first-bad: 1
# Hourly energy demand forecasting with a small encoder-only transformer
# (adapted from a notebook; the data is generated here)
import math
import random

import numpy as np
import torch
import torch.nn as nn


class CFG:
    seed = 2024
    window = 48
    horizon = 6
    d_model = 32
    nhead = 4
    num_layers = 2
    batch_size = 16
    lr = 1e-3
    steps = 100


def seed_everything(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


def make_series(n=1500):
    t = np.arange(n)
    daily = np.sin(2 * np.pi * t / 24)
    weekly = 0.5 * np.sin(2 * np.pi * t / 168)
    noise = 0.1 * np.random.randn(n)
    return (daily + weekly + noise + 0.0003 * t).astype(np.float32)


def sample_batch(series):
    starts = np.random.randint(0, len(series) - CFG.window - CFG.horizon, size=CFG.batch_size)
    x = np.stack([series[s:s + CFG.window] for s in starts])
    y = np.stack([series[s + CFG.window:s + CFG.window + CFG.horizon] for s in starts])
    return torch.from_numpy(x).unsqueeze(-1), torch.from_numpy(y)


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=500):
        super().__init__()
        pe = torch.zeros(max_len, d_model)
        position = torch.arange(0, max_len).unsqueeze(1).float()
        div_term = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe.unsqueeze(0))

    def forward(self, x):
        return x + self.pe[:, :x.size(1)]


class Forecaster(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(1, CFG.d_model)
        self.pos = PositionalEncoding(CFG.d_model)
        layer = nn.TransformerEncoderLayer(CFG.d_model, CFG.nhead, 64, dropout=0.1, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, CFG.num_layers)
        self.head = nn.Linear(CFG.d_model, CFG.horizon)

    def forward(self, x):
        h = self.pos(self.proj(x))
        h = self.encoder(h)
        return self.head(h[:, -1])


def train_fn(model, series, optimizer, scheduler, criterion):
    model.train()
    all_preds = []
    all_targets = []
    for step in range(CFG.steps):
        x, y = sample_batch(series)
        pred = model(x)
        loss = criterion(pred, y)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()

        all_preds.append(pred)  # <- culprit
        all_targets.append(y)

        if (step + 1) % 20 == 0:
            print(f"step {step + 1}/{CFG.steps} loss {loss.item():.4f} lr {scheduler.get_last_lr()[0]:.2e}")

    preds = torch.cat(all_preds).detach().numpy()
    targets = torch.cat(all_targets).numpy()
    return preds, targets


def main():
    seed_everything(CFG.seed)
    torch.set_num_threads(1)
    series = make_series()
    model = Forecaster()
    optimizer = torch.optim.AdamW(model.parameters(), lr=CFG.lr, weight_decay=0.01)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=3e-3, total_steps=CFG.steps)
    criterion = nn.HuberLoss()
    preds, targets = train_fn(model, series, optimizer, scheduler, criterion)
    for h in range(CFG.horizon):
        rmse = float(np.sqrt(np.mean((preds[:, h] - targets[:, h]) ** 2)))
        print(f"horizon +{h + 1}h  train RMSE {rmse:.4f}")


if __name__ == "__main__":
    main()
