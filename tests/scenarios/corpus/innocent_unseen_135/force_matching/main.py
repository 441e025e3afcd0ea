# gradwatch-corpus: kind=none
"""Energies and forces of Morse clusters fitted by a pairwise potential net."""
import torch

torch.set_num_threads(1)

from clusters import sample_clusters
from potential import PairPotential


class ForceMatcher:
    def __init__(self, net, w_force=10.0):
        self.net, self.w_force = net, w_force
        self.opt = torch.optim.Adam(net.parameters(), lr=3e-3, amsgrad=True)

    def energy_and_forces(self, xyz, train):
        xyz = xyz.detach().requires_grad_(True)
        e = self.net(xyz)
        (g,) = torch.autograd.grad(e.sum(), xyz, create_graph=train)
        return e, -g

    def step(self, xyz, e_ref, f_ref):
        e, f = self.energy_and_forces(xyz, train=True)
        le, lf = (e - e_ref).pow(2).mean(), (f - f_ref).pow(2).mean()
        self.opt.zero_grad()
        (le + self.w_force * lf).backward()
        self.opt.step()
        return {"energy": le.item(), "force": lf.item()}

    def validate(self, xyz, e_ref, f_ref):
        _, f = self.energy_and_forces(xyz, train=False)
        return (f - f_ref).abs().mean().item()


def main():
    torch.manual_seed(46)
    fit, held_out = ForceMatcher(PairPotential()), sample_clusters(16)
    for it in range(500):
        logs = fit.step(*sample_clusters(8))
        if it % 125 == 0:
            print(it, {k: round(v, 4) for k, v in logs.items()}, "val force mae", round(fit.validate(*held_out), 4))


if __name__ == "__main__":
    main()
