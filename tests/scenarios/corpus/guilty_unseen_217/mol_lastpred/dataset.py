import torch


class MoleculeSet:
    n_atom_types = 6
    n_atoms = 9

    def __init__(self, n):
        self.atoms = torch.randint(0, self.n_atom_types, (n, self.n_atoms))
        a = (torch.rand(n, self.n_atoms, self.n_atoms) < 0.25).float()
        self.adj = ((a + a.transpose(1, 2)) > 0).float()
        mass = torch.tensor([1.0, 0.2, -0.7, 0.5, -0.3, 0.9])
        m = mass[self.atoms]
        self.y = (m.unsqueeze(1) * self.adj * m.unsqueeze(2)).sum((1, 2)) * 0.2 + m.sum(1)

    def __len__(self):
        return len(self.y)

    def collate(self, ids):
        idx = torch.tensor(ids)
        return self.atoms[idx], self.adj[idx], self.y[idx]
