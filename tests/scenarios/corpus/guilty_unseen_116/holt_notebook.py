# gradwatch-corpus: kind=graph-chain
# holder: level | trend
# first-bad: 1
# notice: 5

# %% Exponential smoothing with learned coefficients, on a daily electricity series
import torch

torch.set_num_threads(1)
torch.manual_seed(5)

# %% the series: slow growth, weekly cycle, noise
days = torch.arange(290, dtype=torch.float32)
weekly = 0.6 * torch.sin(2 * torch.pi * days / 7)
series = 10 + 0.02 * days + weekly + 0.15 * torch.randn(290)
series = (series - series[:60].mean()) / series[:60].std()

# %% parameters
raw_alpha = torch.zeros(1, requires_grad=True)
raw_beta = torch.full((1,), -2.0, requires_grad=True)
raw_phi = torch.full((1,), 2.0, requires_grad=True)
season_bias = torch.zeros(7, requires_grad=True)
opt = torch.optim.Adam([raw_alpha, raw_beta, raw_phi, season_bias], lr=0.02)

# %% start values
level = series[:7].mean().reshape(1)
trend = torch.zeros(1)
errors = []
alphas = []

# %% one pass, one update per day
for t in range(7, 177):
    alpha = torch.sigmoid(raw_alpha)
    beta = torch.sigmoid(raw_beta)
    phi = torch.sigmoid(raw_phi)

    forecast = level + phi * trend + season_bias[t % 7]
    y = series[t]
    loss = (forecast - y).pow(2).sum()

    opt.zero_grad()
    loss.backward(retain_graph=True)  # <- culprit
    opt.step()

    adjusted = y - season_bias[t % 7].detach()
    new_level = alpha * adjusted + (1 - alpha) * (level + phi * trend)
    trend = beta * (new_level - level) + (1 - beta) * phi * trend  # <- culprit
    level = new_level  # <- culprit

    errors.append(loss.item())
    alphas.append(alpha.item())
    if t % 25 == 0:
        print(t, "mse of last 25:", round(sum(errors[-25:]) / len(errors[-25:]), 4),
              "alpha", round(alphas[-1], 3))

# %% hold-out, with the coefficients frozen
with torch.no_grad():
    a, b, p = torch.sigmoid(raw_alpha), torch.sigmoid(raw_beta), torch.sigmoid(raw_phi)
    lv, tr = level.clone(), trend.clone()
    sq = []
    for t in range(177, 290):
        f = lv + p * tr + season_bias[t % 7]
        sq.append((f - series[t]).pow(2).item())
        nl = a * (series[t] - season_bias[t % 7]) + (1 - a) * (lv + p * tr)
        tr = b * (nl - lv) + (1 - b) * p * tr
        lv = nl

# %% summary
naive = (series[177:290] - series[176:289]).pow(2).mean().item()
print("hold-out mse", round(sum(sq) / len(sq), 4), "naive", round(naive, 4))
print("alpha", round(a.item(), 3), "beta", round(b.item(), 3), "phi", round(p.item(), 3))
