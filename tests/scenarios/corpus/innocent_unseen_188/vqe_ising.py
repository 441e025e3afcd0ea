# gradwatch-corpus: kind=none
"""Variational ground state of a 4-site transverse Ising chain by state-vector simulation."""
from contextlib import ExitStack
from functools import partial, reduce

import torch

SITES = 4
X = torch.tensor([[0.0, 1.0], [1.0, 0.0]])
Z = torch.tensor([[1.0, 0.0], [0.0, -1.0]])
EYE = torch.eye(2)


def on_site(ops):
    return reduce(torch.kron, [ops.get(i, EYE) for i in range(SITES)])


def hamiltonian(field):
    zz = sum(on_site({i: Z, i + 1: Z}) for i in range(SITES - 1))
    x = sum(on_site({i: X}) for i in range(SITES))
    return -zz - field * x


class Ansatz(torch.nn.Module):
    def __init__(self, layers=3):
        super().__init__()
        self.angle = torch.nn.Parameter(0.3 * torch.randn(layers, SITES))
        self.field_gain = torch.nn.Parameter(torch.zeros(layers, SITES))
        self.register_buffer("cz", torch.stack([on_site({i: Z, i + 1: Z}).diagonal() for i in range(SITES - 1)]).sum(0))

    def forward(self, field):
        state = torch.zeros(2 ** SITES)
        state[0] = 1.0
        for layer in range(self.angle.shape[0]):
            theta = self.angle[layer] + self.field_gain[layer] * field
            c, s = theta.cos(), theta.sin()
            gates = [torch.stack([torch.stack([c[i], -s[i]]), torch.stack([s[i], c[i]])]) for i in range(SITES)]
            state = reduce(torch.kron, gates) @ state
            state = state * torch.where(self.cz > 0, 1.0, -1.0)
        return state


def report(out, step, field, state):
    with torch.no_grad():
        magnet = (state ** 2 @ on_site({0: Z}).diagonal()).item()
    out.append((step, round(field, 2), round(magnet, 3)))


def block(model, opt, gen, start, length):
    rows = []
    with ExitStack() as stack:
        for step in range(start, start + length):
            field = 0.5 + torch.rand((), generator=gen).item()
            ham = hamiltonian(field)
            state = model(field)
            energy = state @ ham @ state
            opt.zero_grad()
            energy.backward()
            opt.step()
            stack.callback(partial(report, rows, step, field, state))
        floor = torch.linalg.eigvalsh(ham)[0].item()
    return energy.item() - floor, rows


def main():
    torch.manual_seed(33)
    gen = torch.Generator().manual_seed(34)
    model = Ansatz()
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    length = 25
    for start in range(0, 450, length):
        gap, rows = block(model, opt, gen, start, length)
        if start % 75 == 0:
            print(start, f"gap {gap:.4f}", rows[0])


if __name__ == "__main__":
    main()
