# gradwatch-corpus: kind=graph-held
# holder: equity
# first-bad: 1
# %% [markdown]
# # End-to-end volatility targeted portfolio

# %%
import torch
import torch.nn as nn

torch.manual_seed(7)
N_ASSETS, LOOKBACK, HOLD = 8, 20, 5
g = torch.Generator().manual_seed(7)

# %%
n_days = 2600
factor = torch.randn(n_days, 2, generator=g) * 0.006
betas = torch.randn(2, N_ASSETS, generator=g)
noise = torch.randn(n_days, N_ASSETS, generator=g) * 0.008
returns = factor @ betas + noise + 0.0002
returns[1:] += 0.08 * returns[:-1]
print(returns.mean(0), returns.std(0))


# %%
class Allocator(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(N_ASSETS, 24, batch_first=True)
        self.out = nn.Linear(24, N_ASSETS)

    def forward(self, window):
        _, h = self.rnn(window * 50)
        w = torch.tanh(self.out(h[-1]))
        return w / w.abs().sum(-1, keepdim=True).clamp_min(1e-3)


def turnover_cost(new, old, bps=2.0):
    return (new - old).abs().sum() * bps * 1e-4


# %%
policy = Allocator()
opt = torch.optim.RMSprop(policy.parameters(), lr=5e-4)
held = torch.zeros(N_ASSETS)
equity = torch.ones(1)
sharpe_log = []

for day in range(LOOKBACK, n_days - HOLD, HOLD):
    window = returns[day - LOOKBACK:day][None]
    weights = policy(window)[0]
    realised = returns[day:day + HOLD] @ weights
    risk = (realised.std() - 0.01).pow(2)
    cost = turnover_cost(weights, held)
    objective = -realised.mean() * 100 + 20 * risk + cost

    opt.zero_grad()
    objective.backward()
    opt.step()

    held = weights.detach()
    growth = (1 + realised).prod() - cost
    equity = torch.cat([equity, equity[-1:] * growth])  # <- culprit
    sharpe_log.append((realised.mean() / (realised.std() + 1e-6)).item())

# %%
print("periods", len(sharpe_log), "final equity", equity[-1].item())
peak = equity.cummax(0).values
print("max drawdown", ((peak - equity) / peak).max().item())
print("mean sharpe, last 100", sum(sharpe_log[-100:]) / 100)
