# gradwatch-corpus: kind=graph-chain
# holder: price
# first-bad: 1
# %% [markdown]
# Mean-variance desk model with a cost of trading.  Budget and sector exposures are equalities
# handled with the method of multipliers (one dual step for each primal step).

# %%
import itertools

import torch

torch.manual_seed(2024)
ASSETS = 60
SECTORS = [(0, 18, 0.30), (18, 35, 0.25), (35, 48, 0.25), (48, 60, 0.20)]
DAYS = 1500

# %% factor market
betas = torch.randn(ASSETS, 4) * 0.6
premia = torch.tensor([0.0006, 0.0002, -0.0001, 0.0003])
factors = premia + 0.008 * torch.randn(DAYS, 4)
daily = factors @ betas.t() + 0.012 * torch.randn(DAYS, ASSETS)
halflife = 240.0
age = torch.arange(DAYS - 1, -1, -1).float()
decay = 0.5 ** (age / halflife)


def windows(width=400):
    while True:
        for start in torch.randperm(DAYS - width).tolist():
            chunk = daily[start:start + width]
            wt = decay[start:start + width]
            wt = wt / wt.sum()
            mean = wt @ chunk
            dev = (chunk - mean) * wt.sqrt().unsqueeze(1)
            yield mean * 252, dev.t() @ dev * 252


def exposures(h):
    """Departure from the mandate: full investment, then every sector's target."""
    rows = [h.sum() - 1.0]
    for lo, hi, target in SECTORS:
        rows.append(h[lo:hi].sum() - target)
    return torch.stack(rows)


# %% solve
holding = torch.full((ASSETS,), 0.5 / ASSETS, requires_grad=True)
current_book = torch.rand(ASSETS).softmax(0)
opt = torch.optim.Adam([holding], lr=2e-3)
price = torch.zeros(1 + len(SECTORS))
rho, aversion, fee = 2.0, 6.0, 0.004

tape = []
for n, (mu, sigma) in enumerate(itertools.islice(windows(), 240)):
    opt.zero_grad()
    gap = exposures(holding)
    utility = mu @ holding - 0.5 * aversion * (holding @ sigma @ holding)
    trading = fee * torch.sqrt((holding - current_book) ** 2 + 1e-8).sum()
    lagrangian = -utility + trading + (price * gap).sum() + 0.5 * rho * (gap ** 2).sum()
    lagrangian.backward()
    torch.nn.utils.clip_grad_norm_([holding], 1.0)
    opt.step()
    # dual ascent
    price = price.add(gap, alpha=0.1 * rho)  # <- culprit
    tape.append((utility.item(), gap.abs().max().item()))
    if n % 60 == 0:
        print("%4d  utility %+.4f  worst gap %.4f  shadow price of budget %+.3f"
              % (n, tape[-1][0], tape[-1][1], price[0].item()))

# %%
tail = tape[-50:]
print("mean utility, last 50: %.4f" % (sum(t[0] for t in tail) / len(tail)))
print("invested: %.4f" % holding.sum().item())
for (lo, hi, target) in SECTORS:
    print("sector %2d:%2d  %.3f (%.3f)" % (lo, hi, holding[lo:hi].sum().item(), target))
