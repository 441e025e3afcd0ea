import torch

ATOMS = 9
POLARITY = torch.tensor([0.1, 0.9, 0.7, -0.4, -0.8, 0.2])


def random_molecules(count, generator):
    atoms = torch.randint(0, 6, (count, ATOMS), generator=generator)
    bonds = (torch.rand(count, ATOMS, ATOMS, generator=generator) < 0.2).float()
    bonds = ((bonds + bonds.transpose(1, 2)) > 0).float()
    bonds = bonds / bonds.sum(-1, keepdim=True).clamp(min=1)
    polar = POLARITY[atoms]
    target = polar.mean(1) + 0.5 * (polar * (bonds @ polar.unsqueeze(-1)).squeeze(-1)).mean(1)
    return atoms, bonds, target
