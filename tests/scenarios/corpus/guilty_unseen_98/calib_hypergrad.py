# gradwatch-corpus: kind=graph-chain
# holder: sensor.w | w
# first-bad: 1
# notice: 5
"""Spectrometer calibration with an online-tuned learning rate.

Following the "hypergradient descent" idea: after each update of the calibration
vector w, look at the validation error of the *new* w and nudge the step sizes
(one per wavelength band) accordingly.
"""
from dataclasses import dataclass

import torch

torch.set_num_threads(1)
torch.manual_seed(2024)

BANDS = 12
ITERS = 180


@dataclass
class Sensor:
    w: torch.Tensor
    true_w: torch.Tensor
    noise: float = 0.05

    def measure(self, n: int):
        spectra = torch.rand(n, BANDS)
        conc = spectra @ self.true_w + self.noise * torch.randn(n)
        return spectra, conc


def mse(w, spectra, conc):
    return torch.mean((spectra @ w - conc) ** 2)


def calibrate_once(sensor, log_lr):
    """One gradient step on a fresh set of standards; differentiable in log_lr."""
    spectra, conc = sensor.measure(24)
    w = sensor.w
    loss = mse(w, spectra, conc)
    (g,) = torch.autograd.grad(loss, w, create_graph=True)
    sensor.w = w - log_lr.exp() * g  # <- culprit
    return loss.item()


def tune_once(sensor, log_lr, tuner):
    """Validation error of the updated w -> gradient for the step sizes."""
    spectra, conc = sensor.measure(24)
    val = mse(sensor.w, spectra, conc)
    tuner.zero_grad(set_to_none=True)
    val.backward(retain_graph=True)
    torch.nn.utils.clip_grad_norm_([log_lr], 1.0)
    tuner.step()
    return val.item()


def main():
    sensor = Sensor(
        w=torch.zeros(BANDS, requires_grad=True),
        true_w=torch.linspace(-1, 2, BANDS),
    )
    log_lr = torch.full((BANDS,), -3.5, requires_grad=True)
    tuner = torch.optim.SGD([log_lr], lr=0.02)

    table = []
    for it in range(ITERS):
        train = calibrate_once(sensor, log_lr)
        val = tune_once(sensor, log_lr, tuner)
        if it % 30 == 0:
            table.append((it, train, val, log_lr.exp().mean().item()))

    print("iter   train      val      mean step")
    for it, a, b, c in table:
        print(f"{it:4d}  {a:8.5f}  {b:8.5f}  {c:8.5f}")
    err = (sensor.w.detach() - sensor.true_w).abs().max().item()
    print("max abs error of w: %.4f" % err)


if __name__ == "__main__":
    main()
