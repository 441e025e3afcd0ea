# gradwatch-corpus: kind=graph-chain
# holder: self.dof[name] | self.dof | design.dof[name] | design.dof | self.design.dof | descent.design.dof
# first-bad: 2
"""Tolerance-free optimisation of a small triplet: curvatures and air gaps are moved
until random meridional ray fans land on one spot.  Ray transfer in the y-u form with a third order term."""
import math
import time

import torch

torch.manual_seed(11)
torch.set_default_dtype(torch.float64)


class Glass:
    __slots__ = ("label", "n_d", "abbe")

    def __init__(self, label, n_d, abbe):
        self.label, self.n_d, self.abbe = label, n_d, abbe

    def index(self, colour):
        spread = (self.n_d - 1.0) / self.abbe
        return self.n_d + {"F": 0.69, "d": 0.0, "C": -0.31}[colour] * spread


CATALOGUE = {g.label: g for g in (Glass("SK16", 1.620, 60.3), Glass("F2", 1.620, 36.4), Glass("AIR", 1.0, 1e9))}


class Design:
    """Degrees of freedom of the prescription and the (fixed) glasses."""
    __slots__ = ("dof", "media", "efl")

    def __init__(self, curvatures, gaps, media, efl):
        self.dof = {
            "curvature": torch.tensor(curvatures, requires_grad=True),
            "gap": torch.tensor(gaps, requires_grad=True),
        }
        self.media = [CATALOGUE[m] for m in media]
        self.efl = efl

    def trace(self, height, slope, colour):
        y, u, n_here = height, slope, 1.0
        curv, gap = self.dof["curvature"], self.dof["gap"]
        for s, medium in enumerate(self.media):
            n_next = medium.index(colour)
            c = curv[s]
            bend = y * c
            incidence = u + bend + bend ** 3 / 6
            u = n_here / n_next * incidence - bend
            n_here = n_next
            if s < len(self.media) - 1:
                y = y + gap[s] * u
        return y, u


class Descent:
    """Momentum steps with a different stride for each kind of variable."""

    def __init__(self, design, strides, friction=0.85):
        self.design = design
        self.strides = strides
        self.friction = friction
        self.speed = {name: torch.zeros_like(v) for name, v in design.dof.items()}

    def prepare(self):
        for v in self.design.dof.values():
            v.retain_grad()

    def move(self):
        for name, v in list(self.design.dof.items()):
            g = v.grad / (v.grad.norm() + 1e-9)
            self.speed[name] = self.friction * self.speed[name] + g
            self.design.dof[name] = v - self.strides[name] * self.speed[name]  # <- culprit


def merit(design, fan, field):
    spots = []
    for colour in ("F", "d", "C"):
        y, u = design.trace(fan, field, colour)
        spots.append(y + design.efl * u)
    landing = torch.stack(spots)
    aim = design.efl * field
    blur = ((landing - aim) ** 2).mean()
    thin = torch.nn.functional.softplus(0.5 - design.dof["gap"], beta=8).sum()
    return blur + 0.1 * thin, blur


def main():
    design = Design(
        curvatures=[0.045, -0.002, -0.045, 0.048, 0.006, -0.053],
        gaps=[3.0, 6.0, 1.2, 6.0, 2.9],
        media=["SK16", "AIR", "F2", "AIR", "SK16", "AIR"],
        efl=48.0,
    )
    descent = Descent(design, {"curvature": 2e-5, "gap": 2e-3})
    began = time.time()
    for cycle in range(400):
        fan = (torch.rand(96) * 2 - 1) * 4.0
        field = math.tan(math.radians(6.0)) * (torch.rand(96) * 2 - 1)
        descent.prepare()
        value, blur = merit(design, fan, field)
        value.backward()
        descent.move()
        if cycle % 50 == 0:
            print(f"cycle {cycle:4d}  merit {value.item():.5f}  rms spot {blur.item() ** 0.5 * 1e3:8.2f} um")
    print("curvatures", [round(c, 5) for c in design.dof["curvature"].tolist()])
    print(f"{time.time() - began:.1f} s")


if __name__ == "__main__":
    main()
