# gradwatch-corpus: kind=graph-chain
# holder: cal.evidence | self.evidence
# first-bad: 1
# notice: 5
"""Sequential calibration of a near-infrared spectrometer (moisture content of wheat)."""
import argparse

import torch
import torch.nn.functional as F

torch.set_num_threads(1)


class Samples:
    def __init__(self, channels, seed):
        self.g = torch.Generator().manual_seed(seed)
        lam = torch.linspace(0, 1, channels)
        self.water = torch.exp(-80 * (lam - 0.6) ** 2)
        self.starch = torch.exp(-40 * (lam - 0.3) ** 2)

    def __iter__(self):
        while True:
            m = torch.rand(5, 1, generator=self.g)
            spec = m * self.water + (1 - m) * self.starch
            spec = spec + 0.02 * torch.randn(spec.shape, generator=self.g)
            yield spec, m


class Calibration:
    def __init__(self, channels, lr):
        self.coef = torch.nn.Linear(channels, 1)
        self.opt = torch.optim.SGD(self.coef.parameters(), lr=lr)
        self.evidence = None
        self.n = 0

    def assimilate(self, spectra, moisture):
        fit = F.mse_loss(self.coef(spectra), moisture)
        self.n += 1
        if self.evidence is None:
            self.evidence = fit
        else:
            self.evidence = self.evidence * 0.9 + fit * 0.1  # <- culprit
        self.opt.zero_grad()
        self.evidence.backward(retain_graph=True)
        self.opt.step()
        return fit.item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--scans", type=int, default=300)
    ap.add_argument("--channels", type=int, default=30)
    cfg = ap.parse_args()
    torch.manual_seed(1)
    cal = Calibration(cfg.channels, lr=0.05)
    for i, (s, m) in zip(range(cfg.scans), Samples(cfg.channels, seed=9)):
        e = cal.assimilate(s, m)
        if i % 50 == 0:
            print(i, round(e, 5))


if __name__ == "__main__":
    main()
