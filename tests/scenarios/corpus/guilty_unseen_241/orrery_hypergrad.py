# gradwatch-corpus: kind=graph-chain
# holder: self.fast | tuner.fast
# first-bad: 1
"""Learns per-layer step sizes online while fitting the light curve of an eclipsing binary."""
import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F


@dataclass
class OrreryConfig:
    harmonics: int = 6
    width: int = 20
    n_phase: int = 48
    iterations: int = 70
    hyper_lr: float = 0.02
    seed: int = 71


class LightCurveSource:
    def __init__(self, cfg):
        self.cfg = cfg
        self.rng = torch.Generator().manual_seed(cfg.seed)

    def _flux(self, phase):
        primary = torch.exp(-((phase - 0.25) ** 2) / 0.004)
        secondary = torch.exp(-((phase - 0.75) ** 2) / 0.006)
        return 1.0 - 0.6 * primary - 0.25 * secondary

    def night(self):
        phase = torch.rand(self.cfg.n_phase, generator=self.rng)
        noise = 0.01 * torch.randn(self.cfg.n_phase, generator=self.rng)
        return phase, self._flux(phase) + noise


def fourier(phase, harmonics):
    k = torch.arange(1, harmonics + 1)
    angle = 2 * math.pi * phase[:, None] * k
    return torch.cat([angle.sin(), angle.cos()], dim=1)


def curve(params, basis):
    hidden = torch.tanh(F.linear(basis, params["w_in"], params["b_in"]))
    return F.linear(hidden, params["w_out"], params["b_out"]).squeeze(-1)


class HypergradientTuner:
    def __init__(self, cfg):
        self.cfg = cfg
        d = 2 * cfg.harmonics
        self.fast = {
            "w_in": (torch.randn(cfg.width, d) / math.sqrt(d)).requires_grad_(),
            "b_in": torch.zeros(cfg.width).requires_grad_(),
            "w_out": (torch.randn(1, cfg.width) * 0.1).requires_grad_(),
            "b_out": torch.ones(1).requires_grad_(),
        }
        self.log_rate = {k: torch.full((), -3.5, requires_grad=True) for k in self.fast}
        self.hyper_opt = torch.optim.Adam(self.log_rate.values(), lr=cfg.hyper_lr)

    def adapt(self, basis, flux):
        loss = F.mse_loss(curve(self.fast, basis), flux)
        names = list(self.fast)
        grads = torch.autograd.grad(loss, [self.fast[n] for n in names], create_graph=True)
        moved = {}
        for name, grad in zip(names, grads):
            rate = self.log_rate[name].exp()
            moved[name] = self.fast[name] - rate * grad
        self.fast = moved  # <- culprit
        return loss.item()

    def tune(self, basis, flux):
        ahead = F.mse_loss(curve(self.fast, basis), flux)
        self.hyper_opt.zero_grad()
        ahead.backward(retain_graph=True)  # <- culprit
        self.hyper_opt.step()
        return ahead.item()


def observe(tuner, source):
    for epoch_no in range(tuner.cfg.iterations):
        phase, flux = source.night()
        before = tuner.adapt(fourier(phase, tuner.cfg.harmonics), flux)
        phase, flux = source.night()
        after = tuner.tune(fourier(phase, tuner.cfg.harmonics), flux)
        yield epoch_no, before, after


def main():
    cfg = OrreryConfig()
    torch.manual_seed(cfg.seed)
    tuner = HypergradientTuner(cfg)
    source = LightCurveSource(cfg)
    for epoch_no, before, after in observe(tuner, source):
        if epoch_no % 10 == 0:
            rates = {k: round(v.exp().item(), 4) for k, v in tuner.log_rate.items()}
            print(f"night {epoch_no:3d} fit {before:.4f} held-out {after:.4f} {rates}")


if __name__ == "__main__":
    main()
