import torch


def morse(xyz):
    i, j = torch.triu_indices(xyz.shape[1], xyz.shape[1], 1)
    r = (xyz[:, i] - xyz[:, j]).norm(dim=-1)
    return ((1 - torch.exp(-(r - 1.2))) ** 2 - 1).sum(1)


def sample_clusters(n, atoms=4):
    base = torch.tensor([[0.0, 0, 0], [1.2, 0, 0], [0, 1.2, 0], [0, 0, 1.2]])[:atoms]
    xyz = (base + 0.2 * torch.randn(n, atoms, 3)).requires_grad_(True)
    e = morse(xyz)
    (g,) = torch.autograd.grad(e.sum(), xyz)
    return xyz.detach(), e.detach(), -g
