# gradwatch-corpus: kind=none
# %% [markdown]
# # Quantile forecasts of feeder load, weekly reports

# %%
import math

import torch
import torch.nn as nn

torch.manual_seed(19)
QUANTILES = torch.tensor([0.1, 0.5, 0.9])
PAST, AHEAD, WEEK = 48, 12, 40

# %%
t = torch.arange(6000.0)
load = 2 + torch.sin(2 * math.pi * t / 24) + 0.4 * torch.sin(2 * math.pi * t / 168)
load = load + 0.15 * torch.randn(6000).cumsum(0) / t.add(50).sqrt() + 0.1 * torch.randn(6000)
print(load[:5], load.std())


# %%
class Mixer(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.season = nn.Linear(PAST, width)
        self.trend = nn.Linear(PAST // 6, width)
        self.out = nn.Linear(width, AHEAD * len(QUANTILES))
        self.register_buffer("level", torch.zeros(1))

    def forward(self, x):
        if self.training:
            self.level = 0.9 * self.level + 0.1 * x.mean()
        x = x - self.level
        h = torch.tanh(self.season(x)) + torch.tanh(self.trend(x.unflatten(1, (-1, 6)).mean(-1)))
        return self.out(h).unflatten(1, (AHEAD, -1)) + self.level


def pinball(pred, y):
    e = y[..., None] - pred
    return torch.maximum(QUANTILES * e, (QUANTILES - 1) * e)


# %%
net = Mixer()
opt = torch.optim.AdamW(net.parameters(), lr=3e-3)
plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, factor=0.5, patience=2)
week_losses, week_width, table = [], [], []

for step in range(440):
    at = torch.randint(PAST, 5800, (24,))
    x = torch.stack([load[i - PAST:i] for i in at])
    y = torch.stack([load[i:i + AHEAD] for i in at])
    pred = net(x)
    loss = pinball(pred, y).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    week_losses.append(loss)
    week_width.append(pred[..., 2] - pred[..., 0])
    if len(week_losses) == WEEK:
        score = torch.stack(week_losses).mean().item()
        width = torch.cat(week_width).mean().item()
        table.append((step + 1, score, width, opt.param_groups[0]["lr"]))
        plateau.step(score)
        week_losses.clear()
        week_width.clear()

# %%
for row in table:
    print("%4d  pinball %.4f  width %.3f  lr %.1e" % row)

# %%
net.eval()
with torch.no_grad():
    at = torch.arange(5800, 5980, 12)
    pred = net(torch.stack([load[i - PAST:i] for i in at]))
    truth = torch.stack([load[i:i + AHEAD] for i in at])
print("coverage", ((truth > pred[..., 0]) & (truth < pred[..., 2])).float().mean().item())
