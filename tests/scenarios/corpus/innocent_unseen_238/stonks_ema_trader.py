# gradwatch-corpus: kind=none
"""Toy market maker. Keeps rolling windows, an EMA twin, running volatility, and carries its position from day to day."""
from collections import deque

import torch
import torch.nn as nn

torch.manual_seed(1929)

DAYS = 140
MINUTES = 10
FEATS = 5


class Market:
    def __init__(self):
        self.price = 50.0
        self.mood = 0.0
        self.closes = deque([50.0] * FEATS, maxlen=FEATS)

    def next_minute(self):
        self.mood = 0.9 * self.mood + 0.1 * torch.randn(1).item()
        change = 0.01 * self.mood + 0.004 * torch.randn(1).item()
        self.price *= 1 + change
        self.closes.append(self.price)
        return change

    def features(self):
        c = torch.tensor(list(self.closes))
        return (c / c.mean() - 1) * 30


class Trader(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRUCell(FEATS + 1, 20)
        self.head = nn.Linear(20, 1)

    def forward(self, feats, pos, h):
        h = self.gru(torch.cat([feats, pos])[None], h)
        return torch.tanh(self.head(h))[0], h


market = Market()
trader = Trader()
twin = Trader()
twin.load_state_dict(trader.state_dict())
twin.requires_grad_(False)
opt = torch.optim.Adam(trader.parameters(), lr=3e-3)

desk = {
    "pos": torch.zeros(1),
    "h": torch.zeros(1, 20),
    "vol": torch.tensor(0.01),
    "recent": deque(maxlen=20),
    "positions": deque(maxlen=50),
    "money": 100.0,
}

for day in range(DAYS):
    pos = desk["pos"]
    h = desk["h"]
    gains = []
    path = []
    for _ in range(MINUTES):
        new_pos, h = trader(market.features(), pos, h)
        change = market.next_minute()
        gains.append(new_pos * change - 0.0005 * (new_pos - pos).abs())
        pos = new_pos
        path.append(pos)

    day_gain = torch.cat(gains)
    risk = torch.stack(path).pow(2).mean()
    loss = -(day_gain.sum() / desk["vol"]) + 0.05 * risk

    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(trader.parameters(), 1.0)
    opt.step()

    desk["pos"] = pos.detach()
    desk["h"] = h.detach()
    with torch.no_grad():
        desk["vol"] = 0.95 * desk["vol"] + 0.05 * day_gain.std().clamp(min=1e-3)
        for slow, fast in zip(twin.parameters(), trader.parameters()):
            slow.mul_(0.98).add_(fast, alpha=0.02)
        twin_pos, _ = twin(market.features(), desk["pos"], desk["h"])
    desk["recent"].append(day_gain.sum().detach())
    desk["positions"].append(torch.stack(path).detach())
    desk["money"] *= 1 + desk["recent"][-1].item()

    if day % 28 == 0:
        mean20 = torch.stack(list(desk["recent"])).mean().item()
        print(f"day {day:3d} money {desk['money']:.2f} mean20 {mean20:+.4f} pos {desk['pos'].item():+.2f} twin {twin_pos.item():+.2f}")

spread = torch.cat(list(desk["positions"])).std().item()
print("final money %.2f, position spread %.3f" % (desk["money"], spread))
