import torch


class CellFoundry:
    def __init__(self, sites, species):
        self.sites = sites
        self.species = species
        self.charge = torch.randn(species)

    def cast(self, cells):
        species = torch.randint(0, self.species, (cells, self.sites))
        where = torch.rand(cells, self.sites, 3)
        away = torch.cdist(where, where)
        bonds = torch.exp(-6.0 * away)
        charge = self.charge[species]
        energy = torch.einsum("bi,bij,bj->b", charge, bonds, charge)
        return species, bonds, energy / self.sites
