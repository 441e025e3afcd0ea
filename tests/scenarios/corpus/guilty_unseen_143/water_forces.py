# gradwatch-corpus: kind=graph-held
# holder: pos.grad
# first-bad: 1
# notice: 8
"""Force matching for a three-site water toy model.

Energy is a network of internal coordinates, forces are the negative gradient.
"""
import torch

torch.set_num_threads(1)


def internals(pos):
    oh1 = pos[:, 1] - pos[:, 0]
    oh2 = pos[:, 2] - pos[:, 0]
    r1, r2 = oh1.norm(dim=1), oh2.norm(dim=1)
    cosang = (oh1 * oh2).sum(1) / (r1 * r2)
    return torch.stack([r1, r2, cosang], 1)


def reference(pos):
    p = pos.clone().requires_grad_()
    q = internals(p)
    e = 3.0 * (q[:, 0] - 0.96) ** 2 + 3.0 * (q[:, 1] - 0.96) ** 2 + 0.8 * (q[:, 2] + 0.25) ** 2
    g, = torch.autograd.grad(e.sum(), p)
    return e.detach(), -g


def geometries(n):
    eq = torch.tensor([[0.0, 0.0, 0.0], [0.96, 0.0, 0.0], [-0.24, 0.93, 0.0]])
    return eq + 0.1 * torch.randn(n, 3, 3)


class EnergyModel(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = torch.nn.Linear(3, 20)
        self.l2 = torch.nn.Linear(20, 1)

    def forward(self, pos):
        return self.l2(torch.tanh(self.l1(internals(pos)))).squeeze(1)


def energy_and_forces(model, pos):
    pos = pos.clone().requires_grad_(True)
    energy = model(pos)
    energy.sum().backward(create_graph=True)  # <- culprit
    return energy, -pos.grad


def fit(n_steps=350):
    model = EnergyModel()
    adam = torch.optim.Adam(model.parameters(), lr=5e-3)
    for n in range(n_steps):
        xyz = geometries(8)
        e_ref, f_ref = reference(xyz)
        e, f = energy_and_forces(model, xyz)
        adam.zero_grad()
        mismatch = (e - e_ref).pow(2).mean() + 5.0 * (f - f_ref).pow(2).mean()
        mismatch.backward()
        adam.step()
        if n % 50 == 0:
            print("%4d  %.5f" % (n, mismatch.item()))


if __name__ == "__main__":
    torch.manual_seed(8)
    fit()
