# gradwatch-corpus: kind=graph-chain
# holder: self.storage | catchment.storage | s
# first-bad: 1
"""Calibrate a two-bucket rainfall-runoff model on one wet and one dry decade.

The calibration walks along the record month by month; soil and groundwater
storages continue from one month into the next.
"""
import numpy as np
import torch
from torch import nn

DAYS_PER_WINDOW = 10
N_WINDOWS = 75


def synth_forcing(n_days, seed=3):
    rng = np.random.default_rng(seed)
    wet = rng.random(n_days) < 0.35
    rain = np.where(wet, rng.gamma(0.9, 9.0, n_days), 0.0)
    pet = 2.0 + 1.5 * np.sin(2 * np.pi * np.arange(n_days) / 365.0)
    return rain.astype("float32"), pet.astype("float32")


def synth_runoff(rain, pet, k_soil=0.18, k_gw=0.03, split=0.35, eta=0.6):
    soil, gw, q = 20.0, 50.0, []
    for r, e in zip(rain, pet):
        soil = max(soil + r - eta * e, 0.0)
        drain = k_soil * soil
        soil -= drain
        gw += split * drain
        base = k_gw * gw
        gw -= base
        q.append((1 - split) * drain + base)
    return np.asarray(q, dtype="float32")


class BucketModel(nn.Module):
    def __init__(self, soil0=15.0, gw0=40.0):
        super().__init__()
        self.raw_k_soil = nn.Parameter(torch.tensor(-2.5))
        self.raw_k_gw = nn.Parameter(torch.tensor(-2.5))
        self.raw_split = nn.Parameter(torch.tensor(0.0))
        self.raw_eta = nn.Parameter(torch.tensor(0.0))
        self.storage = (torch.tensor(soil0), torch.tensor(gw0))

    def coefficients(self):
        return (torch.sigmoid(self.raw_k_soil), torch.sigmoid(self.raw_k_gw),
                torch.sigmoid(self.raw_split), torch.sigmoid(self.raw_eta))

    @staticmethod
    def day(storage, rain, pet, coef):
        k_soil, k_gw, split, eta = coef
        soil, gw = storage
        soil = torch.relu(soil + rain - eta * pet)
        drain = k_soil * soil
        gw = gw + split * drain
        base = k_gw * gw
        return (soil - drain, gw - base), (1 - split) * drain + base

    def simulate(self, rain, pet):
        coef = self.coefficients()
        s, q = self.storage, []  # <- culprit
        for r, e in zip(rain, pet):
            s, q_t = self.day(s, r, e, coef)
            q.append(q_t)
        self.storage = s  # <- culprit
        return torch.stack(q)


def nse(sim, obs):
    return 1.0 - ((sim - obs) ** 2).sum() / ((obs - obs.mean()) ** 2).sum()


def calibrate():
    n_days = DAYS_PER_WINDOW * N_WINDOWS
    rain_np, pet_np = synth_forcing(n_days)
    obs = torch.from_numpy(synth_runoff(rain_np, pet_np))
    rain, pet = torch.from_numpy(rain_np), torch.from_numpy(pet_np)

    catchment = BucketModel()
    optim = torch.optim.Adam(catchment.parameters(), lr=0.02)
    scores = []
    for w in range(N_WINDOWS):
        days = slice(w * DAYS_PER_WINDOW, (w + 1) * DAYS_PER_WINDOW)
        sim = catchment.simulate(rain[days], pet[days])
        loss = torch.mean((torch.log1p(sim) - torch.log1p(obs[days])) ** 2)
        optim.zero_grad(set_to_none=True)
        loss.backward(retain_graph=True)
        optim.step()
        scores.append(nse(sim.detach(), obs[days]).item())
        if (w + 1) % 15 == 0:
            print(f"window {w + 1:2d}: log-mse {loss.item():.4f}, median NSE {np.median(scores[-15:]):.2f}")
    with torch.no_grad():
        print("coefficients:", [round(c.item(), 3) for c in catchment.coefficients()])


if __name__ == "__main__":
    torch.manual_seed(0)
    calibrate()
