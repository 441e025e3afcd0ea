import torch


def make_silos(n_silos, n, dim, classes):
    """Each silo sees the same concept through its own rotation and label skew."""
    g = torch.Generator().manual_seed(0)
    concept = torch.randn(dim, classes, generator=g)
    silos = []
    for _ in range(n_silos):
        shift = 0.3 * torch.randn(dim, generator=g)
        x = torch.randn(n, dim, generator=g) + shift
        y = (x @ concept + 0.5 * torch.randn(n, classes, generator=g)).argmax(1)
        silos.append((x, y))
    return silos
