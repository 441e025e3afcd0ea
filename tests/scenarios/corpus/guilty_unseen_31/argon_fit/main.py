# gradwatch-corpus: kind=graph-chain
# holder: frame | sim.frame | self.frame | frame.pos | frame.vel | sim.frame.pos | sim.frame.vel
# first-bad: 1
"""Fit LJ parameters on the fly so that the running cluster matches a target
mean pair distance and kinetic temperature."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import torch

from forcefield import LennardJones
from integrator import Simulation, cubic_cluster


def observables(frame):
    d = torch.pdist(frame.pos)
    kinetic = 0.5 * (frame.vel ** 2).sum() / frame.pos.shape[0]
    return d.mean(), kinetic


def main(n_blocks=70, steps_per_block=2):
    torch.manual_seed(2)
    ff = LennardJones(epsilon=0.6, sigma=0.95)
    sim = Simulation(cubic_cluster(2, spacing=1.15), ff, dt=2e-3)
    opt = torch.optim.Adam(ff.parameters(), lr=2e-3)
    target_d, target_k = 1.75, 0.12

    for block in range(n_blocks):
        frame = sim.run(steps_per_block)
        mean_d, kin = observables(frame)
        loss = (mean_d - target_d) ** 2 + 0.5 * (kin - target_k) ** 2
        opt.zero_grad()
        loss.backward(retain_graph=True)
        torch.nn.utils.clip_grad_norm_(ff.parameters(), 1.0)
        opt.step()
        if block % 10 == 0:
            eps, sig = ff.values()
            print(f"block {block:3d} t={sim.time:.3f} <d>={mean_d.item():.3f} "
                  f"eps={eps:.3f} sigma={sig:.3f}")
    print("done, max speed", sim.frame.vel.norm(dim=1).max().item())


if __name__ == "__main__":
    main()
