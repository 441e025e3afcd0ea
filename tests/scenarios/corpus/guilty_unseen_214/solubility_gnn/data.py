import torch


class ToyMolecules:
    """Random sparse graphs with a logS-like target; stands in for ESOL in the course."""

    def __init__(self, n_mols=320, n_atoms=12, n_types=6, seed=11):
        g = torch.Generator().manual_seed(seed)
        self.types = torch.randint(0, n_types, (n_mols, n_atoms), generator=g)
        a = (torch.rand(n_mols, n_atoms, n_atoms, generator=g) < 0.18).float()
        a = torch.triu(a, 1)
        self.adj = a + a.transpose(1, 2)
        polar = torch.tensor([0.0, 1.2, 0.8, -0.4, -0.9, 0.1])
        deg = self.adj.sum(-1)
        self.y = (polar[self.types] * (1 + 0.3 * deg)).mean(1) - 0.2 * deg.mean(1)
        self.y = (self.y - self.y.mean()) / self.y.std()

    def __len__(self):
        return len(self.y)

    def loader(self, bs, gen):
        order = torch.randperm(len(self), generator=gen)
        for chunk in order.split(bs):
            yield self.types[chunk], self.adj[chunk], self.y[chunk]
