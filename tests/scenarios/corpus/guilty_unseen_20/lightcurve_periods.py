# gradwatch-corpus: kind=graph-held
# holder: store | store[key] | harmonic_basis.store | harmonic_basis.__closure__ | harmonic_basis
# first-bad: 1
"""Refine pulsation periods of a handful of RR Lyrae stars jointly with a shared
Fourier template, starting from the (slightly wrong) periodogram peaks."""
import functools
import math

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(2021)
torch.set_default_dtype(torch.float64)

N_STARS = 6
N_OBS = 160
HARMONICS = 4


def memoize_by_star(fn):
    """The basis is asked for by the fit, by the scatter term and by the regulariser."""
    store = {}

    @functools.wraps(fn)
    def wrapper(star, times, log_period):
        key = (star, log_period.item())
        if key not in store:
            store[key] = fn(star, times, log_period)  # <- culprit
        return store[key]

    wrapper.store = store
    return wrapper


@memoize_by_star
def harmonic_basis(star, times, log_period):
    phase = 2.0 * math.pi * times / torch.exp(log_period)
    order = torch.arange(1, HARMONICS + 1)
    angle = phase[:, None] * order[None, :]
    return torch.cat([torch.sin(angle), torch.cos(angle)], dim=1)


class Survey:
    def __init__(self):
        gen = torch.Generator().manual_seed(5)
        self.true_log_p = torch.log(0.45 + 0.3 * torch.rand(N_STARS, generator=gen))
        self.times = [torch.sort(3.0 * torch.rand(N_OBS, generator=gen)).values for _ in range(N_STARS)]
        weights = torch.randn(2 * HARMONICS, generator=gen) / torch.arange(1, 2 * HARMONICS + 1)
        self.mags, self.errors = [], []
        for star in range(N_STARS):
            phase = 2.0 * math.pi * self.times[star] / torch.exp(self.true_log_p[star])
            angle = phase[:, None] * torch.arange(1, HARMONICS + 1)[None, :]
            clean = torch.cat([angle.sin(), angle.cos()], 1) @ weights
            sigma = 0.03 + 0.03 * torch.rand(N_OBS, generator=gen)
            self.mags.append(clean + sigma * torch.randn(N_OBS, generator=gen))
            self.errors.append(sigma)

    def initial_periods(self):
        return self.true_log_p + 0.01 * torch.randn(N_STARS)


class TemplateFit(nn.Module):
    def __init__(self, survey):
        super().__init__()
        self.survey = survey
        self.log_period = nn.Parameter(survey.initial_periods())
        self.weights = nn.Parameter(0.1 * torch.randn(2 * HARMONICS))
        self.offset = nn.Parameter(torch.zeros(N_STARS))
        self.log_jitter = nn.Parameter(torch.full((), -2.0))

    def predict(self, star):
        basis = harmonic_basis(star, self.survey.times[star], self.log_period[star])
        return basis @ self.weights + self.offset[star]

    def chi2(self, star):
        variance = self.survey.errors[star] ** 2 + torch.exp(2 * self.log_jitter)
        resid = self.survey.mags[star] - self.predict(star)
        return 0.5 * (resid.pow(2) / variance + variance.log()).mean()

    def roughness(self, star):
        basis = harmonic_basis(star, self.survey.times[star], self.log_period[star])
        order = torch.arange(1, HARMONICS + 1).repeat(2)
        return ((basis * order) @ self.weights).pow(2).mean()

    def smoothness_of_residuals(self, star):
        resid = self.survey.mags[star] - self.predict(star)
        return F.smooth_l1_loss(resid[1:], resid[:-1])


def objective(fit, star):
    return fit.chi2(star) + 1e-4 * fit.roughness(star) + 0.05 * fit.smoothness_of_residuals(star)


def run(n_iter=300):
    survey = Survey()
    fit = TemplateFit(survey)
    opt = torch.optim.Adam(
        [
            {"params": [fit.log_period], "lr": 2e-4},
            {"params": [fit.weights, fit.offset, fit.log_jitter], "lr": 1e-2},
        ]
    )
    for it in range(n_iter):
        star = it % N_STARS
        opt.zero_grad()
        value = objective(fit, star)
        value.backward()
        opt.step()
        if it % 75 == 0:
            with torch.no_grad():
                err = (fit.log_period - survey.true_log_p).abs().max().item()
            print(f"iter {it:4d}  objective {value.item():8.4f}  worst |dlogP| {err:.5f}")
    return fit


if __name__ == "__main__":
    fitted = run()
    print("periods", [round(math.exp(p), 5) for p in fitted.log_period.tolist()])
