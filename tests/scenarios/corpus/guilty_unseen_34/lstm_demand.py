# gradwatch-corpus: kind=second-backward
# holder: self.hidden | model.hidden | net.hidden
# first-bad: 1
# Demand forecasting for several shops with a stateful LSTM.
import logging

import numpy as np
import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
log = logging.getLogger("demand")


class StatefulLSTM(nn.Module):
    def __init__(self, n_features, hidden_dim, batch_size, num_layers=1):
        super().__init__()
        self.hidden_dim = hidden_dim
        self.batch_size = batch_size
        self.num_layers = num_layers
        self.lstm = nn.LSTM(n_features, hidden_dim, num_layers, batch_first=True)
        self.fc = nn.Linear(hidden_dim, 1)
        self.hidden = self.init_hidden()

    def init_hidden(self):
        shape = (self.num_layers, self.batch_size, self.hidden_dim)
        return torch.zeros(shape), torch.zeros(shape)

    def forward(self, x):
        out, self.hidden = self.lstm(x, self.hidden)  # <- culprit
        return self.fc(out).squeeze(-1)


def make_demand(n_shops=8, n_days=400):
    rng = np.random.default_rng(5)
    day = np.arange(n_days)
    level = rng.uniform(0.5, 1.5, (n_shops, 1))
    weekly = 0.4 * np.sin(2 * np.pi * day / 7 + rng.uniform(0, 6, (n_shops, 1)))
    promo = (rng.random((n_shops, n_days)) < 0.1).astype(float)
    y = level + weekly + 0.6 * promo + rng.normal(0, 0.05, (n_shops, n_days))
    feats = np.stack([np.roll(y, 1, 1), promo, np.broadcast_to(np.sin(2 * np.pi * day / 7), y.shape)], -1)
    return torch.tensor(feats, dtype=torch.float32), torch.tensor(y, dtype=torch.float32)


def fit(model, feats, target, window=20, epochs=3, lr=5e-3):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    criterion = nn.SmoothL1Loss()
    skipped = 0
    for epoch in range(epochs):
        model.hidden = model.init_hidden()
        losses = []
        for start in range(0, feats.size(1), window):
            x = feats[:, start:start + window]
            y = target[:, start:start + window]
            try:
                optimizer.zero_grad()
                loss = criterion(model(x), y)
                loss.backward()
                optimizer.step()
                losses.append(loss.item())
            except RuntimeError as exc:
                # do not let one bad batch end the whole run
                skipped += 1
                if skipped <= 2:
                    log.warning("skipping batch at day %d: %s", start, str(exc).split("(")[0])
        log.info("epoch %d: mean loss %.4f over %d batches (%d skipped so far)",
                 epoch, float(np.mean(losses)), len(losses), skipped)
    return skipped


def forecast_error(model, feats, target):
    model.eval()
    model.hidden = model.init_hidden()
    with torch.no_grad():
        return (model(feats) - target)[:, -28:].abs().mean().item()


if __name__ == "__main__":
    torch.manual_seed(3)
    feats, target = make_demand()
    net = StatefulLSTM(n_features=3, hidden_dim=24, batch_size=8)
    fit(net, feats, target)
    log.info("MAE of last four weeks: %.4f", forecast_error(net, feats, target))
