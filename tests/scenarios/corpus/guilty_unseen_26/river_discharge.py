# gradwatch-corpus: kind=second-backward
# holder: self.warm | forecaster.warm | state
# first-bad: 15
# after: discuss.pytorch.org / Stack Overflow 48274929 "LSTM stateful: backward through the graph a second time" (only from the second epoch on)
"""Daily discharge of several catchments with a stateful LSTM (course project, hydrology)."""
import math

import torch
import torch.nn as nn

CATCHMENTS, FEATURES, DAYS, CHUNK, EPOCHS = 12, 4, 300, 20, 6


def synthetic_catchments(seed=31):
    g = torch.Generator().manual_seed(seed)
    rain = torch.relu(torch.randn(DAYS, CATCHMENTS, generator=g))
    temp = torch.sin(torch.arange(DAYS)[:, None] * 2 * math.pi / 365) + 0.1 * torch.randn(DAYS, CATCHMENTS, generator=g)
    area = torch.rand(CATCHMENTS, generator=g).expand(DAYS, -1)
    snow, soil, out = torch.zeros(CATCHMENTS), torch.ones(CATCHMENTS), []
    for d in range(DAYS):
        cold = (temp[d] < 0).float()
        snow = snow + cold * rain[d] - (1 - cold) * 0.1 * snow
        soil = soil + (1 - cold) * (rain[d] + 0.1 * snow)
        q = 0.08 * soil
        soil = soil - q
        out.append(q)
    x = torch.stack([rain, temp, area, temp.clamp(min=0)], -1)
    return x, torch.stack(out)


class Forecaster(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.lstm = nn.LSTM(FEATURES, hidden)
        self.head = nn.Sequential(nn.Linear(hidden, 1), nn.Softplus())
        self.warm = None          # state to begin an epoch with: basins are never dry on day one

    def forward(self, x, state):
        y, state = self.lstm(x, state)
        return self.head(y).squeeze(-1), state


def nse(pred, obs):
    return 1 - ((pred - obs) ** 2).sum() / ((obs - obs.mean()) ** 2).sum()


def repackage(state):
    return tuple(s.detach() for s in state)


def run_epoch(forecaster, x, y, optimizer):
    state = forecaster.warm  # <- culprit
    losses = []
    for x_chunk, y_chunk in zip(x.split(CHUNK), y.split(CHUNK)):
        if losses:
            state = repackage(state)
        pred, state = forecaster(x_chunk, state)
        loss = 1 - nse(pred, y_chunk)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(forecaster.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    forecaster.warm = state  # <- culprit
    return sum(losses) / len(losses)


def main():
    torch.manual_seed(1)
    x, y = synthetic_catchments()
    forecaster = Forecaster()
    optimizer = torch.optim.Adam(forecaster.parameters(), lr=5e-3)
    for epoch in range(EPOCHS):
        print(f"epoch {epoch + 1}: 1 - NSE = {run_epoch(forecaster, x, y, optimizer):.4f}")


if __name__ == "__main__":
    main()
