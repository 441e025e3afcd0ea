import torch


def lennard_jones(pos):
    i, j = torch.triu_indices(pos.size(1), pos.size(1), 1)
    d = (pos[:, i] - pos[:, j]).norm(dim=-1).clamp_min(0.85)
    s6 = d.pow(-6)
    return 4 * (s6 * s6 - s6).sum(1)


class ClusterSet:
    def __init__(self, n, atoms, seed):
        self.gen = torch.Generator().manual_seed(seed)
        grid = torch.cartesian_prod(*[torch.arange(2.0)] * 3)[:atoms] * 1.15
        pos = grid + 0.09 * torch.randn(n, atoms, 3, generator=self.gen)
        pos.requires_grad_(True)
        energy = lennard_jones(pos)
        force, = torch.autograd.grad(energy.sum(), pos)
        scale = force.std()
        self.pos = pos.detach()
        self.energy = (energy.detach() - energy.mean().item()) / scale
        self.force = -force / scale
        cut = n * 5 // 6
        self.n_train = cut
        self.held = (self.pos[cut:], self.energy[cut:], self.force[cut:])

    def batch(self, size):
        k = torch.randint(self.n_train, (size,), generator=self.gen)
        return self.pos[k], self.energy[k], self.force[k]
