# gradwatch-corpus: kind=graph-held
# holder: totals["nll"] | totals
# first-bad: 1
"""Heteroscedastic regression of a lab value with MC dropout; prints a running mean NLL and coverage."""
import numpy as np
import torch
from torch import nn

torch.manual_seed(12)
np.random.seed(12)

COLS = ["age", "weight", "creatinine", "sodium", "potassium", "crp", "glucose", "hb"]
BATCH = 96
N_ITERS = 140
MC_SAMPLES = 16


def make_lab_frame(n):
    frame = {c: np.random.randn(n).astype("float32") for c in COLS}
    noise = 0.2 + 0.4 * np.abs(frame["crp"])
    frame["lactate"] = (
        0.7 * frame["glucose"] - 0.4 * frame["hb"] + 0.3 * frame["crp"] ** 2 + noise * np.random.randn(n)
    ).astype("float32")
    return frame


def to_xy(frame, rows):
    x = np.stack([frame[c][rows] for c in COLS], axis=1)
    return torch.from_numpy(x), torch.from_numpy(frame["lactate"][rows])


class DropoutRegressor(nn.Module):
    def __init__(self, n_in, p=0.15):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Linear(n_in, 64),
            nn.SiLU(),
            nn.Dropout(p),
            nn.Linear(64, 64),
            nn.SiLU(),
            nn.Dropout(p),
        )
        self.mu = nn.Linear(64, 1)
        self.log_var = nn.Linear(64, 1)

    def forward(self, x):
        h = self.trunk(x)
        return self.mu(h).squeeze(1), self.log_var(h).squeeze(1).clamp(-6, 4)


def gaussian_nll(mu, log_var, y):
    return 0.5 * (log_var + (y - mu) ** 2 * torch.exp(-log_var)).mean()


@torch.no_grad()
def coverage(model, x, y, z=1.96):
    mus = []
    variances = []
    for _ in range(MC_SAMPLES):
        mu, log_var = model(x)
        mus.append(mu)
        variances.append(log_var.exp())
    mus = torch.stack(mus)
    total_var = mus.var(0) + torch.stack(variances).mean(0)
    inside = (y - mus.mean(0)).abs() <= z * total_var.sqrt()
    return inside.float().mean().item()


train = make_lab_frame(4000)
valid = make_lab_frame(600)
x_valid, y_valid = to_xy(valid, np.arange(600))
model = DropoutRegressor(len(COLS))
opt = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-4)

totals = {"nll": 0.0, "abs_err": 0.0, "n": 0}

for i in range(N_ITERS):
    rows = np.random.randint(0, 4000, size=BATCH)
    x, y = to_xy(train, rows)
    mu, log_var = model(x)
    nll = gaussian_nll(mu, log_var, y)
    opt.zero_grad()
    nll.backward()
    opt.step()

    totals["nll"] += nll * len(rows)  # <- culprit
    totals["abs_err"] += float((mu - y).abs().sum())
    totals["n"] += len(rows)

    if (i + 1) % 35 == 0:
        mean_nll = totals["nll"] / totals["n"]
        mae = totals["abs_err"] / totals["n"]
        print(f"iter {i + 1:4d}: nll={mean_nll:.4f} mae={mae:.4f} cov95={coverage(model, x_valid, y_valid):.3f}")
