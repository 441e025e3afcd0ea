# gradwatch-corpus: kind=graph-chain
# holder: self.field | sim.field
# first-bad: 1
"""Calibrate the diffusivity of a plate from a stream of noisy camera frames."""
import torch

from .camera import FrameStream
from .plate import HeatPlate


def main(frames=420):
    torch.manual_seed(8)
    stream = FrameStream(size=12, kappa=0.6, decay=0.02, noise=0.01)
    sim = HeatPlate(stream.initial())
    opt = torch.optim.Adam(sim.parameters(), lr=2e-2)

    for k, frame in enumerate(stream.take(frames)):
        opt.zero_grad()
        pred = sim.advance()
        misfit = (pred - frame).pow(2).mean()
        prior = 1e-4 * (sim.log_kappa ** 2 + sim.log_decay ** 2)
        loss = misfit + prior
        loss.backward(retain_graph=True)
        opt.step()
        if k % 40 == 0:
            kap, dec = sim.coefficients()
            print(f"frame {k:4d} misfit {misfit.item():.3e} kappa {kap:.3f} decay {dec:.4f}")


if __name__ == "__main__":
    main()
