# gradwatch-corpus: kind=none
# Peak fitting of a time series of Raman spectra with L-BFGS; each spectrum starts from the
# fit of the one before, as the sample is heated and its lines wander and widen.
from collections import deque

import torch

torch.set_num_threads(1)
torch.manual_seed(120)

AXIS = torch.linspace(0, 10, 160)
N_SPECTRA, STEPS_EACH = 42, 8


def measure(heat):
    """Three Lorentzians over a curved background, with shot noise."""
    centre = torch.tensor([2.2, 5.1, 7.6]) + heat * torch.tensor([0.35, -0.25, 0.3])
    width = torch.tensor([0.25, 0.35, 0.3]) * (1 + 0.8 * heat)
    height = torch.tensor([1.0, 1.7, 0.8]) * (1 - 0.3 * heat)
    lines = height / (1 + ((AXIS[:, None] - centre) / width) ** 2)
    clean = lines.sum(1) + 0.3 + 0.04 * AXIS - 0.003 * AXIS ** 2
    return clean + 0.02 * clean.sqrt() * torch.randn(len(AXIS))


class Peaks(torch.nn.Module):
    def __init__(self, guess):
        super().__init__()
        self.centre = torch.nn.Parameter(torch.tensor(guess))
        self.log_width = torch.nn.Parameter(torch.full((len(guess),), -1.0))
        self.log_height = torch.nn.Parameter(torch.zeros(len(guess)))
        self.back = torch.nn.Parameter(torch.tensor([0.2, 0.0, 0.0]))

    def forward(self, axis):
        z = (axis[:, None] - self.centre) / self.log_width.exp()
        lines = (self.log_height.exp() / (1 + z ** 2)).sum(1)
        s = (axis - 5) / 5
        return lines + self.back[0] + self.back[1] * s + self.back[2] * s ** 2


class SpectrumFit:
    def __init__(self, model, ridge=1e-3):
        self.model = model
        self.ridge = ridge
        self.evaluations = 0
        self.anchor = None

    def begin(self, spectrum):
        self.spectrum = spectrum
        self.anchor = self.model.centre.detach().clone()
        self.opt = torch.optim.LBFGS(self.model.parameters(), lr=0.9, max_iter=5,
                                     history_size=8, line_search_fn="strong_wolfe")

    def closure(self):
        self.opt.zero_grad()
        misfit = (self.model(AXIS) - self.spectrum).pow(2).sum()
        wander = (self.model.centre - self.anchor).pow(2).sum()
        loss = misfit + self.ridge * wander
        loss.backward()
        self.evaluations += 1
        return loss

    def step(self):
        return self.opt.step(self.closure).item()


model = Peaks([2.0, 5.3, 7.4])
fit = SpectrumFit(model)
table, recent = [], deque(maxlen=5)

for n in range(N_SPECTRA):
    fit.begin(measure(n / (N_SPECTRA - 1)))
    for _ in range(STEPS_EACH):
        loss = fit.step()
    recent.append(loss)
    table.append(model.centre.tolist() + model.log_width.exp().tolist())
    if n % 7 == 6:
        where = ", ".join(f"{c:.2f}" for c in table[-1][:3])
        print(f"spectrum {n + 1:3d}  misfit {sum(recent) / len(recent):.4f}  centres {where}  evaluations {fit.evaluations}")

drift = [b - a for a, b in zip(table[0][:3], table[-1][:3])]
print("drift of the lines:", [round(d, 3) for d in drift])
