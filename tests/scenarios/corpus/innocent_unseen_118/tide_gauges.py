# gradwatch-corpus: kind=none
# Tide level forecasting at six gauges; quick script used for the spring campaign.
import collections
import math
import torch

KEEP_NEWEST = 3
GAUGES = ["brest", "dover", "esbjerg", "kiel", "lorient", "vlissingen"]

torch.manual_seed(404)
torch.set_num_threads(1)
phase = dict(zip(GAUGES, torch.rand(len(GAUGES)).mul(6.28).tolist()))


def series(gauge, n=20, hist=12, ahead=3):
    t0 = torch.rand(n, 1) * 100
    t = t0 + torch.arange(hist + ahead)
    level = torch.sin(2 * math.pi * t / 12.4 + phase[gauge]) + 0.3 * torch.sin(2 * math.pi * t / 24.0)
    level = level + 0.05 * torch.randn_like(level)
    return level[:, :hist], level[:, hist:]


forecasts = collections.defaultdict(list)     # gauge -> newest forecasts and their loss
mae_log = collections.defaultdict(list)       # gauge -> every MAE


def remember(gauge, pred, loss):
    newest = forecasts[gauge]
    newest.append((pred, loss))
    if len(newest) > KEEP_NEWEST:
        del newest[:-KEEP_NEWEST]


def summary():
    for gauge, kept in sorted(forecasts.items()):
        bias = torch.stack([p.mean() for p, _ in kept]).mean()
        mse = torch.stack([l for _, l in kept]).mean()
        long_run = sum(mae_log[gauge]) / len(mae_log[gauge])
        print("   %-11s bias %+.3f  mse %.4f  mae(all) %.4f" % (gauge, bias.item(), mse.item(), long_run))


net = torch.nn.Sequential(torch.nn.Linear(12, 40), torch.nn.Softplus(), torch.nn.Linear(40, 3))
optimizer = torch.optim.NAdam(net.parameters(), lr=2e-3)

order = torch.randint(len(GAUGES), (480,)).tolist()
for i, g in enumerate(order):
    gauge = GAUGES[g]
    x, y = series(gauge)
    pred = net(x)
    loss = ((pred - y) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    remember(gauge, pred, loss)
    mae_log[gauge].append((pred.detach() - y).abs().mean().item())
    if (i + 1) % 240 == 0:
        print("after", i + 1, "batches")
        summary()
