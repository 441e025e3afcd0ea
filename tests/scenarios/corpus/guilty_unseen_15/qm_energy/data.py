"""Random clusters of three fictitious elements with a pairwise Morse energy."""
import torch

WELL = torch.tensor([[0.6, 0.8, 0.4], [0.8, 1.0, 0.5], [0.4, 0.5, 0.3]])
RADIUS = torch.tensor([[1.0, 1.1, 1.3], [1.1, 1.2, 1.4], [1.3, 1.4, 1.6]])


def morse(z, pos, a=1.4):
    d = (pos.unsqueeze(2) - pos.unsqueeze(1)).pow(2).sum(-1).clamp_min(1e-6).sqrt()
    depth = WELL[z.unsqueeze(2), z.unsqueeze(1)]
    r0 = RADIUS[z.unsqueeze(2), z.unsqueeze(1)]
    pair = depth * ((1 - torch.exp(-a * (d - r0).clamp_min(-0.5))) ** 2 - 1)
    pair = pair * (1 - torch.eye(pos.shape[1]))
    return 0.5 * pair.sum((1, 2))


def sample_clusters(batch, atoms, gen):
    z = torch.randint(0, 3, (batch, atoms), generator=gen)
    pos = 1.3 * torch.randn(batch, atoms, 3, generator=gen)
    return z, pos, morse(z, pos)
