import torch
from torch import nn


class GlucoseRegressor:
    def __init__(self, lags):
        self.net = nn.Sequential(nn.Linear(lags, 20), nn.Dropout(0.1), nn.ReLU(), nn.Linear(20, 1))
        self.opt = torch.optim.Adam(self.net.parameters(), lr=5e-3)

    def learn(self, lagged, ahead):
        loss = nn.functional.mse_loss(self.net(lagged).squeeze(-1), ahead)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    def score(self, lagged, ahead):
        if torch.isnan(ahead).any():
            raise ValueError("sensor gaps in the held-out window")
        return nn.functional.l1_loss(self.net(lagged).squeeze(-1), ahead).item()
