# gradwatch-corpus: kind=none
# Deep hedging of a call under stochastic volatility. Recurrent hedger, truncated BPTT over
# the trading days: windows of K days, the P&L and the hidden state go on to the next window.
from collections import deque

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(252)

PATHS, DAYS, K = 64, 30, 5
COST = 1e-3
STRIKE = 1.0
EPISODES = 60


def heston_paths(n, days, dt=1 / 252, kappa=3.0, theta=0.06, xi=0.4, rho=-0.6):
    s = torch.ones(n)
    v = torch.full((n,), theta)
    out_s, out_v = [s], [v]
    for _ in range(days):
        z1, z2 = torch.randn(n), torch.randn(n)
        z2 = rho * z1 + (1 - rho ** 2) ** 0.5 * z2
        s = s * torch.exp(-0.5 * v * dt + (v * dt).sqrt() * z1)
        v = (v + kappa * (theta - v) * dt + xi * (v * dt).sqrt() * z2).clamp_min(1e-4)
        out_s.append(s)
        out_v.append(v)
    return torch.stack(out_s), torch.stack(out_v)


def bs_call(s, tau, vol):
    d1 = (torch.log(s / STRIKE) + 0.5 * vol ** 2 * tau) / (vol * tau ** 0.5)
    n = torch.distributions.Normal(0.0, 1.0)
    return s * n.cdf(d1) - STRIKE * n.cdf(d1 - vol * tau ** 0.5)


class Hedger(nn.Module):
    def __init__(self, hid=16):
        super().__init__()
        self.hid = hid
        self.cell = nn.GRUCell(4, hid)
        self.out = nn.Linear(hid, 1)

    def start(self, n):
        return torch.zeros(n, self.hid), torch.zeros(n)

    def forward(self, feats, h):
        h = self.cell(feats, h)
        return torch.sigmoid(self.out(h)).squeeze(1), h


hedger = Hedger()
optimizer = torch.optim.Adam(hedger.parameters(), lr=5e-3)
recent = deque(maxlen=12)
episode_pnl = []

for episode in range(EPISODES):
    S, V = heston_paths(PATHS, DAYS)
    price = torch.stack([bs_call(S[d], max(DAYS - d, 0.25) / 252, V[d].sqrt()) for d in range(DAYS + 1)])
    h, pos = hedger.start(PATHS)
    pnl = torch.zeros(PATHS)
    for start in range(0, DAYS, K):
        risk = 0.0
        for d in range(start, start + K):
            x = torch.stack([torch.log(S[d] / STRIKE) * 20, torch.full((PATHS,), (DAYS - d) / DAYS), V[d] * 10, pos], 1)
            new_pos, h = hedger(x, h)
            trade = COST * (new_pos - pos).abs() * S[d]
            dpnl = new_pos * (S[d + 1] - S[d]) - (price[d + 1] - price[d]) - trade
            pnl = pnl + dpnl
            risk = risk + (1e3 * dpnl).pow(2).mean()
            pos = new_pos
        shortfall = pnl.clamp(max=0).pow(2).mean() * 1e4
        loss = risk / K + 0.1 * shortfall
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(hedger.parameters(), 1.0)
        optimizer.step()
        recent.append(loss)
        h, pos, pnl = h.detach(), pos.detach(), pnl.detach()
    episode_pnl.append(pnl)
    if episode % 10 == 9:
        avg = torch.stack(list(recent)).mean().item()
        print(f"episode {episode + 1:3d} loss(last {len(recent)}) {avg:.3f} "
              f"pnl std {pnl.std().item():.5f} mean {pnl.mean().item():+.5f}")

all_pnl = torch.cat(episode_pnl[-20:])
print("CVaR 5%%: %.5f" % all_pnl.sort().values[: len(all_pnl) // 20].mean().item())
