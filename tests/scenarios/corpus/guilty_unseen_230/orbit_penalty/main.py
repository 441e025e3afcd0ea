# gradwatch-corpus: kind=second-backward
# holder: self.cached | penalty.cached | energy.cached
# first-bad: 13
"""Learned Hamiltonian for orbits with a periodically refreshed conservation penalty."""
from __future__ import annotations

import torch

from model import HamiltonianNet, orbit_batch
from terms import ConservationPenalty, Objective


def main(iterations: int = 100) -> None:
    torch.manual_seed(41)
    net = HamiltonianNet(hidden=48)
    energy = ConservationPenalty(net, start=12, every=6)
    objective = Objective()
    objective.register("fit", lambda it, q, dq: (net.flow(q) - dq).square().mean(), weight=1.0)
    objective.register("energy", lambda it, q, dq: energy(it, q), weight=0.05)
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
    for it in range(iterations):
        q, dq = orbit_batch(64)
        loss, parts = objective.evaluate(it, q, dq)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if it % 4 == 0:
            print(it, " ".join(f"{name}={value:.4f}" for name, value in parts.items()))


if __name__ == "__main__":
    main()
