# gradwatch-corpus: kind=graph-held
# holder: rejected
# first-bad: 4
"""
Photometric redshift regression with a quality gate.

Some exposures of the night are spoiled (satellite trails, clouds). When the residuals of a batch are not
plausible the step falls back on a trimmed Huber loss, and the case goes into the audit printed at the end.
"""
import argparse
import sys
from collections import Counter

import torch
from torch import nn


class ImplausibleNight(RuntimeError):
    def __init__(self, night, worst, field):
        super().__init__(f"night {night}: residual {worst:.1f} in field {field}")
        self.night = night
        self.worst = worst
        self.field = field


class Sky:
    BANDS = 9

    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.tilt = torch.randn(self.BANDS, generator=self.gen)

    def night(self, index, size=96):
        mags = torch.randn(size, self.BANDS, generator=self.gen)
        z = 0.5 * torch.tanh(mags @ self.tilt * 0.4) + 0.5
        z = z + 0.02 * torch.randn(size, generator=self.gen)
        field = int(torch.randint(0, 4, (1,), generator=self.gen))
        if index % 4 == 3 or field == 3 and index > 60:
            hurt = torch.randperm(size, generator=self.gen)[:3]
            z[hurt] += 9.0
        return mags, z, field


class PhotoZ(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(Sky.BANDS, width), nn.Mish(),
                                   nn.Linear(width, width), nn.Mish(),
                                   nn.Linear(width, width), nn.Mish())
        self.centre = nn.Linear(width, 1)
        self.spread = nn.Linear(width, 1)

    def forward(self, mags):
        h = self.trunk(mags)
        return self.centre(h).squeeze(1), nn.functional.softplus(self.spread(h)).squeeze(1) + 0.05


def gated_nll(net, mags, z, night, field, ceiling):
    centre, spread = net(mags)
    residual = (z - centre) / spread
    nll = 0.5 * residual.square() + spread.log()
    worst = (z - centre).abs().max().item()
    if worst > ceiling:
        raise ImplausibleNight(night, worst, field)
    return nll.mean()


def trimmed(net, mags, z):
    centre, _ = net(mags)
    off = nn.functional.huber_loss(centre, z, reduction="none", delta=0.1)
    return off.sort().values[: int(0.9 * len(off))].mean()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--nights", type=int, default=400)
    ap.add_argument("--ceiling", type=float, default=5.0)
    args = ap.parse_args()
    torch.manual_seed(8)
    sky, net = Sky(31), PhotoZ()
    opt = torch.optim.NAdam(net.parameters(), lr=1.5e-3)
    rejected = []
    for night in range(args.nights):
        mags, z, field = sky.night(night)
        try:
            objective = gated_nll(net, mags, z, night, field, args.ceiling)
        except ImplausibleNight as case:
            rejected.append(case)  # <- culprit
            objective = trimmed(net, mags, z)
        opt.zero_grad()
        objective.backward()
        opt.step()
        if night % 80 == 0:
            print(f"night {night:4d} objective {objective.item():+.4f} rejected so far {len(rejected)}")
    by_field = Counter(case.field for case in rejected)
    print("rejected per field:", dict(sorted(by_field.items())))
    print("worst:", max(rejected, key=lambda case: case.worst), file=sys.stdout)


if __name__ == "__main__":
    main()
