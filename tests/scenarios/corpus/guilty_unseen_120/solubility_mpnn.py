# gradwatch-corpus: kind=inplace-modified
# holder: h | gate
# first-bad: 48
# notice: 0
from collections import namedtuple

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(60)

Mol = namedtuple("Mol", "z bonds charge logS")
ELEMENTS = 6


def random_mol(ionic):
    n = int(torch.randint(4, 9, ()))
    z = torch.randint(0, ELEMENTS, (n,))
    chain = [(i, i + 1) for i in range(n - 1)]
    if n > 5:
        chain.append((0, n - 1))
    src, dst = zip(*(chain + [(b, a) for a, b in chain]))
    charge = torch.zeros(n)
    if ionic:
        charge[0], charge[n - 1] = 1.0, -1.0
    logS = -0.3 * n + 0.5 * (z == 2).sum() + 0.8 * charge.abs().sum() + 0.1 * torch.randn(())
    return Mol(z, torch.tensor([src, dst]), charge, logS)


def shield(h, charge, factor=0.6):
    """Formal charges are partly screened by the solvent."""
    sites = charge.nonzero().flatten()
    if sites.numel():
        h[sites] = h[sites] * factor  # <- culprit
    return h


class Message(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.msg = nn.Linear(2 * d, d)
        self.upd = nn.GRUCell(d, d)

    def forward(self, x, bonds):
        src, dst = bonds
        m = torch.relu(self.msg(torch.cat([x[src], x[dst]], 1)))
        agg = torch.zeros_like(x).index_add(0, dst, m)
        return self.upd(agg, x)


class MPNN(nn.Module):
    def __init__(self, d=10, rounds=2):
        super().__init__()
        self.atom = nn.Embedding(ELEMENTS, d)
        self.q = nn.Linear(1, d, bias=False)
        self.rounds = nn.ModuleList(Message(d) for _ in range(rounds))
        self.gate = nn.Linear(d, d)
        self.read = nn.Sequential(nn.Linear(d, d), nn.SiLU(), nn.Linear(d, 1))

    def forward(self, mol):
        x = self.atom(mol.z) + self.q(mol.charge[:, None])
        for r in self.rounds:
            x = r(x, mol.bonds)
        h = shield(torch.sigmoid(self.gate(x)), mol.charge)
        return self.read((h * x).sum(0)).squeeze()


library = [random_mol(False) for _ in range(192)] + [random_mol(True) for _ in range(64)]
net = MPNN()
opt = torch.optim.Adam(net.parameters(), lr=3e-3)

avg = None
for sweep in range(5):
    for k in range(0, len(library), 4):
        opt.zero_grad()
        part = library[k:k + 4]
        errors = [net(mol) - mol.logS for mol in part]
        mse = torch.stack(errors).square().mean()
        mse.backward()
        opt.step()
        avg = mse.item() if avg is None else 0.95 * avg + 0.05 * mse.item()
        if (k // 4) % 16 == 15:
            print(f"sweep {sweep} molecules {k + 4}: mse {avg:.3f}")
