# gradwatch-corpus: kind=second-backward
# first-bad: 0
"""Bi-exponential fit of time-resolved fluorescence traces.

Each pixel gets two lifetimes and one amplitude ratio.  Wanted to replace
scipy.optimize.curve_fit, because 400 pixels take too long there.
"""
import numpy as np
import torch

rng = np.random.default_rng(11)
torch.manual_seed(11)

N_PIX = 400
N_T = 120
T_MAX = 12.0     # ns
N_ROUNDS = 15

t_axis = torch.linspace(0, T_MAX, N_T)


def simulate(n_pix):
    tau1 = rng.uniform(0.4, 0.9, n_pix)
    tau2 = rng.uniform(2.0, 4.5, n_pix)
    frac = rng.uniform(0.2, 0.8, n_pix)
    t = t_axis.numpy()[None, :]
    clean = frac[:, None] * np.exp(-t / tau1[:, None]) + (1 - frac[:, None]) * np.exp(-t / tau2[:, None])
    counts = rng.poisson(clean * 2000) / 2000.0
    return torch.tensor(counts, dtype=torch.float32), (tau1, tau2, frac)


class BiExp(torch.nn.Module):
    def __init__(self, n_pix):
        super().__init__()
        self.log_tau1 = torch.nn.Parameter(torch.full((n_pix, 1), -0.5))
        self.log_tau2 = torch.nn.Parameter(torch.full((n_pix, 1), 1.0))
        self.logit_frac = torch.nn.Parameter(torch.zeros(n_pix, 1))

    def forward(self, t):
        tau1 = torch.exp(self.log_tau1)
        tau2 = torch.exp(self.log_tau2)
        frac = torch.sigmoid(self.logit_frac)
        return frac * torch.exp(-t / tau1) + (1 - frac) * torch.exp(-t / tau2)


def irf_blur(curve, width=3):
    kernel = torch.ones(1, 1, width) / width
    padded = torch.nn.functional.pad(curve.unsqueeze(1), (width - 1, 0), mode="replicate")
    return torch.nn.functional.conv1d(padded, kernel).squeeze(1)


def chi2(pred, data, sigma_floor=1e-2):
    sigma2 = data.clamp(min=sigma_floor)
    return ((pred - data) ** 2 / sigma2).sum(1).mean()


def fit(model, data, rounds, lr=0.5, tol=1e-7):
    opt = torch.optim.LBFGS(model.parameters(), lr=lr, max_iter=8, history_size=10,
                            line_search_fn="strong_wolfe")
    last = float("inf")
    for r in range(rounds):
        pred = irf_blur(model(t_axis))  # <- culprit
        loss = chi2(pred, data)  # <- culprit

        def closure():
            opt.zero_grad()
            loss.backward()  # <- culprit
            return loss

        opt.step(closure)
        now = loss.item()
        print(f"round {r:2d}  chi2 = {now:.5f}")
        if abs(last - now) < tol:
            print("converged")
            break
        last = now
    return model


def report(model, truth):
    tau1, tau2, frac = truth
    with torch.no_grad():
        e1 = np.abs(model.log_tau1.exp().squeeze().numpy() - tau1).mean()
        e2 = np.abs(model.log_tau2.exp().squeeze().numpy() - tau2).mean()
        ef = np.abs(torch.sigmoid(model.logit_frac).squeeze().numpy() - frac).mean()
    print(f"mean abs error: tau1 {e1:.3f} ns, tau2 {e2:.3f} ns, fraction {ef:.3f}")


if __name__ == "__main__":
    traces, truth = simulate(N_PIX)
    fitted = fit(BiExp(N_PIX), traces, N_ROUNDS)
    report(fitted, truth)
