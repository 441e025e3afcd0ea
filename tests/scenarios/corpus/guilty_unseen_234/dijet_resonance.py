# gradwatch-corpus: kind=graph-held
# holder: self.smooth_nll | monitor.smooth_nll | fitter.monitor.smooth_nll
# first-bad: 1
"""Extended maximum-likelihood fit of a narrow dijet resonance."""
import math

import torch
import torch.nn.functional as F

LOW = 1.0
HIGH = 6.0
EDGES = torch.linspace(LOW, HIGH, 101)
CENTRES = 0.5 * (EDGES[1:] + EDGES[:-1])


def pseudo_data(seed):
    gen = torch.Generator().manual_seed(seed)
    falling = 400.0 * torch.exp(-1.1 * (CENTRES - LOW))
    bump = 60.0 * torch.exp(-0.5 * ((CENTRES - 3.1) / 0.12) ** 2)
    return torch.poisson(falling + bump, generator=gen)


class Spectrum(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.log_norm = torch.nn.Parameter(torch.tensor(5.5))
        self.slope = torch.nn.Parameter(torch.tensor([0.8, 0.0]))
        self.log_signal = torch.nn.Parameter(torch.tensor(3.0))
        self.mass = torch.nn.Parameter(torch.tensor(2.9))
        self.log_width = torch.nn.Parameter(torch.tensor(math.log(0.2)))

    def forward(self, m):
        z = m - LOW
        background = torch.exp(self.log_norm - self.slope[0] * z - self.slope[1] * z ** 2)
        pull = (m - self.mass) / self.log_width.exp()
        signal = torch.exp(self.log_signal - 0.5 * pull ** 2)
        return background + signal


class ConvergenceMonitor:
    def __init__(self, momentum=0.9, patience=40, tol=1e-6):
        self.momentum = momentum
        self.patience = patience
        self.tol = tol
        self.smooth_nll = None
        self.best = float("inf")
        self.stale = 0

    def update(self, nll):
        if self.smooth_nll is None:
            self.smooth_nll = nll  # <- culprit
        else:
            m = self.momentum
            self.smooth_nll = m * self.smooth_nll + (1.0 - m) * nll  # <- culprit
        value = float(self.smooth_nll)
        if value < self.best - self.tol * abs(self.best if self.stale else value):
            self.best = value
            self.stale = 0
        else:
            self.stale += 1
        return self.stale >= self.patience


class Fitter:
    def __init__(self, counts):
        self.counts = counts
        self.model = Spectrum()
        self.monitor = ConvergenceMonitor()
        self.opt = torch.optim.Adam(self.model.parameters(), lr=0.02)
        self.history = {"nll": [], "mass": []}

    def step(self):
        mu = self.model(CENTRES)
        nll = F.poisson_nll_loss(mu, self.counts, log_input=False)
        prior = 0.5 * (self.model.slope[1] / 0.5) ** 2
        loss = nll + prior / len(CENTRES)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        done = self.monitor.update(loss)  # <- culprit
        self.history["nll"].append(loss.item())
        self.history["mass"].append(self.model.mass.item())
        return done

    def fit(self, max_steps):
        for k in range(max_steps):
            if self.step():
                print("converged at", k)
                break
        return self.model


if __name__ == "__main__":
    torch.manual_seed(2012)
    fitter = Fitter(pseudo_data(7))
    model = fitter.fit(180)
    print(f"mass  {model.mass.item():.3f}")
    print(f"width {model.log_width.exp().item():.3f}")
    print(f"nll   {fitter.history['nll'][-1]:.3f}")
