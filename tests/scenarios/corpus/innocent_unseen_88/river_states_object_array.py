# gradwatch-corpus: kind=none
# %% [markdown]
# # Rainfall -> runoff with a bucket model whose fluxes are learned
# Three catchments, each with its own stores (soil, ground water). The stores live in a numpy
# object array because the catchments have different numbers of cells.

# %%
import numpy as np
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(3)
rng = np.random.default_rng(3)

CELLS = [3, 5, 2]
WINDOW = 3

# %% global state of the world
STORES = np.empty((len(CELLS), 2), dtype=object)
for c, k in enumerate(CELLS):
    STORES[c, 0] = torch.full((k, 1), 0.5)
    STORES[c, 1] = torch.full((k, 1), 1.0)


def rain(k):
    wet = rng.random() < 0.35
    return torch.tensor(rng.gamma(2.0, 0.4, (k, 1)) * wet, dtype=torch.float32)


def true_flow(r, memory):
    memory["q"] = 0.9 * memory["q"] + 0.1 * r.mean()
    return memory["q"] + 0.05 * r.mean() ** 2


class Fluxes(nn.Module):
    def __init__(self, h=8):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, h), nn.Tanh(), nn.Linear(h, 3), nn.Sigmoid())

    def forward(self, soil, gw, r):
        infil, perc, base = self.net(torch.cat([soil, gw, r], 1)).split(1, 1)
        quick = (1 - infil) * r
        down = 0.3 * perc * soil
        out = 0.2 * base * gw
        return soil + infil * r - down - 0.05 * soil, gw + down - out, (quick + out).mean()


def one_day(model, truth):
    err = 0.0
    for c, k in enumerate(CELLS):
        r = rain(k)
        STORES[c, 0], STORES[c, 1], q = model(STORES[c, 0], STORES[c, 1], r)
        err = err + (q - true_flow(r, truth[c])) ** 2
    return err / len(CELLS)


def midnight():
    """New window: the water stays, how it came there is forgotten."""
    for ij in np.ndindex(STORES.shape):
        STORES[ij] = STORES[ij].detach()


# %%
model = Fluxes()
opt = torch.optim.Adam(model.parameters(), lr=4e-3)
truth = [{"q": torch.tensor(0.3)} for _ in CELLS]
curve = np.zeros(0)

for window in range(320):
    loss = 0.0
    for day in range(WINDOW):
        loss = loss + one_day(model, truth)
    loss = loss / WINDOW
    opt.zero_grad()
    loss.backward()
    opt.step()
    midnight()
    curve = np.append(curve, loss.item())
    if window % 64 == 0:
        print(f"window {window:4d}  mse {curve[-1]:.5f}  soil[0] {STORES[0, 0].mean():.3f}")

# %%
print("mean of last 30 windows", curve[-30:].mean().round(5))
