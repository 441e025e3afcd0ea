# gradwatch-corpus: kind=none
# %% [markdown]
# Quoting policy on a simulated book; pathwise gradients, ten paths sets per update

# %%
import statistics

import torch
import torch.nn as nn

torch.manual_seed(6)
MICRO, ROUNDS, HORIZON, PATHS = 5, 420, 6, 32
gen = torch.Generator().manual_seed(66)

# %%
quoter = nn.Sequential(nn.Linear(3, 24), nn.Tanh(), nn.Linear(24, 2), nn.Softplus())
opt = torch.optim.Adam(quoter.parameters(), lr=3e-3)


def fills(depth, pressure):
    return torch.sigmoid(2.0 - 3.0 * depth + pressure)


def simulate(vol):
    mid = torch.zeros(PATHS)
    stock, cash = torch.zeros(PATHS), torch.zeros(PATHS)
    for t in range(HORIZON):
        feats = torch.stack([stock, torch.full((PATHS,), t / HORIZON), vol.expand(PATHS)], -1)
        bid, ask = quoter(feats).unbind(-1)
        eps = torch.randn(3, PATHS, generator=gen)
        buy, sell = fills(bid, eps[0]), fills(ask, eps[1])
        cash = cash - buy * (mid - bid) + sell * (mid + ask)
        stock = stock + buy - sell
        mid = mid + vol * eps[2]
    return cash + stock * mid, stock


# %%
scale = torch.ones(())
pnl_total = 0
wealth_log, risk_log, batch_terms = [], [], []
for r in range(ROUNDS * MICRO):
    vol = 0.05 + 0.3 * torch.rand((), generator=gen)
    wealth, stock = simulate(vol)
    term = (-wealth.mean() + 0.5 * wealth.var() + 0.1 * stock.pow(2).mean()) / scale
    batch_terms.append(term)
    pnl_total = pnl_total + wealth.mean().detach()
    scale = (0.99 * scale + 0.01 * wealth.std()).detach()
    if len(batch_terms) == MICRO:
        opt.zero_grad()
        torch.stack(batch_terms).mean().backward()
        opt.step()
        wealth_log.append(wealth.detach().mean().item())
        risk_log.append(float(stock.detach().abs().mean()))
        batch_terms = []
        if len(wealth_log) % 70 == 0:
            print(len(wealth_log), f"{statistics.fmean(wealth_log[-50:]):.4f}", f"{statistics.fmean(risk_log[-50:]):.4f}")

# %%
print("mean pnl", (pnl_total / (ROUNDS * MICRO)).item(), "scale", scale.item())
