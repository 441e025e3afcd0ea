# gradwatch-corpus: kind=crashed
# holder: rates | rates["vmax"] | rates["km"] | rates["ki"]
# first-bad: 0
# notice: 0
"""Fit of Michaelis-Menten constants with substrate inhibition to assay curves."""
import torch

torch.set_num_threads(1)
torch.manual_seed(66)


def velocity(s, vmax, km, ki):
    return vmax * s / (km + s + s * s / ki)


def progress_curve(s0, rates, steps=25, dt=0.1):
    s, curve = s0, []
    for _ in range(steps):
        s = (s - dt * velocity(s, **rates)).clamp(min=1e-4)
        curve.append(s)
    return torch.stack(curve, -1)


def initial_guess(assay):
    guess = {"vmax": assay[:, 0].max(), "km": assay.mean(), "ki": 4 * assay.max()}
    return {k: torch.as_tensor(float(v)) for k, v in guess.items()}  # <- culprit


def fit(s0, assay, iterations=200):
    rates = initial_guess(assay)
    opt = torch.optim.Adam(list(rates.values()), lr=0.02)
    for it in range(iterations):
        opt.zero_grad()
        sse = (progress_curve(s0, rates) - assay).square().sum()
        sse.backward()
        opt.step()
        if it % 40 == 0:
            print(it, sse.item())
    return rates


start = torch.tensor([0.5, 1.0, 2.0, 4.0, 8.0])
truth = {"vmax": torch.tensor(1.3), "km": torch.tensor(0.7), "ki": torch.tensor(9.0)}
data = progress_curve(start, truth)
print(fit(start, data + 0.02 * torch.randn_like(data)))
