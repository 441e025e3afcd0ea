from typing import NamedTuple

import torch


class MolBatch(NamedTuple):
    atoms: torch.Tensor        # (N,) int
    adj: torch.Tensor          # (N, N) sparse
    owner: torch.Tensor        # (N,) molecule of the atom
    target: torch.Tensor       # (M,)


def batches(n_mols, atom_types, seed):
    g = torch.Generator().manual_seed(seed)
    taste = torch.randn(atom_types, generator=g)
    while True:
        sizes = torch.randint(5, 15, (n_mols,), generator=g).tolist()
        owner = torch.repeat_interleave(torch.arange(n_mols), torch.tensor(sizes))
        atoms = torch.randint(0, atom_types, (len(owner),), generator=g)
        rows, cols, base = [], [], 0
        for s in sizes:                      # a tree: atom i bonds with an earlier one
            for i in range(1, s):
                j = int(torch.randint(0, i, (1,), generator=g))
                rows += [base + i, base + j]
                cols += [base + j, base + i]
            base += s
        adj = torch.sparse_coo_tensor([rows, cols], torch.ones(len(rows)), (base, base)).coalesce()
        target = torch.zeros(n_mols).index_add_(0, owner, taste[atoms]) / 5
        yield MolBatch(atoms, adj, owner, target)
