# gradwatch-corpus: kind=graph-chain
# holder: ward["h"]
# first-bad: 1
"""Early-warning model for the ICU: minute-by-minute vitals, one GRU cell per ward."""
import math

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

SEED = 17
N_BEDS = 24
VITALS = ["hr", "map", "spo2", "rr", "temp"]
HIDDEN = 20
MINUTES = 90
LR = 0.03

torch.manual_seed(SEED)
rng = np.random.default_rng(SEED)


def make_ward_minute(t, severity):
    """One minute of vitals for every bed, standardised."""
    circadian = math.sin(2 * math.pi * t / 60)
    base = rng.normal(0, 0.4, size=(N_BEDS, len(VITALS)))
    base[:, 0] += severity * 0.9 + 0.2 * circadian
    base[:, 1] -= severity * 0.6
    base[:, 2] -= severity * 0.5
    return torch.tensor(base, dtype=torch.float32)


def drift(severity):
    step = rng.normal(0, 0.1, size=severity.shape)
    return np.clip(severity + step, -2, 2)


class BedsideModel(nn.Module):
    def __init__(self, n_in, n_hidden):
        super().__init__()
        self.cell = nn.GRUCell(n_in, n_hidden)
        self.head = nn.Sequential(
            nn.Linear(n_hidden, 16),
            nn.ReLU(),
            nn.Linear(16, 1),
        )

    def forward(self, x, h):
        h = self.cell(x, h)  # <- culprit
        return self.head(h).squeeze(-1), h


def sgd_step(params, lr, velocity, mu=0.8):
    for p in params:
        if p.grad is None:
            continue
        v = velocity.setdefault(id(p), torch.zeros_like(p))
        v.mul_(mu).add_(p.grad)
        p.data -= lr * v
        p.grad = None


def brier(prob, target):
    return float(((prob - target) ** 2).mean())


def main():
    model = BedsideModel(len(VITALS), HIDDEN)
    params = list(model.parameters())
    velocity = {}
    severity = rng.normal(0, 1, size=N_BEDS)
    ward = {"h": torch.zeros(N_BEDS, HIDDEN), "t": 0}
    results = {"minute": [], "bce": [], "brier": []}

    for minute in range(MINUTES):
        x = make_ward_minute(minute, severity)
        severity = drift(severity)
        y = torch.tensor((severity > 0.5).astype("float32"))

        logit, h_next = model(x, ward["h"])  # <- culprit
        loss = F.binary_cross_entropy_with_logits(logit, y)
        loss.backward(retain_graph=True)
        nn.utils.clip_grad_norm_(params, 1.0)
        sgd_step(params, LR, velocity)

        ward["h"] = h_next  # <- culprit
        ward["t"] = minute

        results["minute"].append(minute)
        results["bce"].append(loss.item())
        results["brier"].append(brier(torch.sigmoid(logit).detach(), y))
        if minute % 15 == 0:
            print(f"minute {minute:3d}  bce={results['bce'][-1]:.4f}  brier={results['brier'][-1]:.4f}")

    tail = np.mean(results["bce"][-10:])
    print(f"mean bce of last 10 minutes: {tail:.4f}")


if __name__ == "__main__":
    main()
