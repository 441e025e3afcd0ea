# gradwatch-corpus: kind=none
"""Steady heat conduction with an implicit layer (a deep equilibrium net).

The fixed point of the last batch is the start of the next one. The backward pass
solves the adjoint fixed point in a hook.
"""
import torch
from torch import autograd, nn

torch.set_num_threads(1)
torch.manual_seed(303030)

CELLS, BATCH, STEPS = 12, 16, 400


def fixed_point(f, z, tol=1e-4, limit=25):
    for n in range(limit):
        new = f(z)
        if (new - z).norm() < tol * (1 + z.norm()):
            return new, n + 1
        z = new
    return z, limit


class Cell(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.utils.parametrizations.spectral_norm(nn.Linear(CELLS, CELLS))
        self.b = nn.Linear(CELLS, CELLS)

    def forward(self, z, x):
        return torch.tanh(0.8 * self.a(z) + self.b(x))


class Equilibrium(nn.Module):
    def __init__(self, cell):
        super().__init__()
        self.cell = cell
        self.hook = None
        self.warm = None
        self.iterations = {"forward": [], "backward": []}

    def forward(self, x):
        # the spectral norm makes a power iteration on each call in training: freeze it once
        with nn.utils.parametrize.cached():
            start = self.warm if self.warm is not None else torch.zeros_like(x)
            with torch.no_grad():
                z, n = fixed_point(lambda z: self.cell(z, x), start)
            self.iterations["forward"].append(n)
            z = self.cell(z, x)
            z0 = z.detach().requires_grad_()
            f0 = self.cell(z0, x)
        self.warm = z.detach()

        def adjoint(g):
            if self.hook is not None:
                self.hook.remove()
            u, n = fixed_point(lambda u: autograd.grad(f0, z0, u, retain_graph=True)[0] + g, g)
            self.iterations["backward"].append(n)
            return u

        if z.requires_grad:
            self.hook = z.register_hook(adjoint)
        return z


def rods(n):
    """Heat sources on a rod; the answer is the steady temperature."""
    q = torch.randn(n, CELLS)
    lap = 2.2 * torch.eye(CELLS) - torch.diag(torch.ones(CELLS - 1), 1) - torch.diag(torch.ones(CELLS - 1), -1)
    return q, torch.linalg.solve(lap, q.t()).t()


deq = Equilibrium(Cell())
readout = nn.Linear(CELLS, CELLS)
opt = torch.optim.Adam([*deq.parameters(), *readout.parameters()], lr=4e-3)
recent = []
for step in range(STEPS):
    q, temp = rods(BATCH)
    loss = (readout(deq(q)) - temp).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    recent = recent[-9:] + [loss]
    if step % 80 == 79:
        fw, bw = deq.iterations["forward"][-80:], deq.iterations["backward"][-80:]
        print(f"{step + 1} loss {torch.stack(recent).mean():.4f} "
              f"solver {sum(fw) / len(fw):.1f} adjoint {sum(bw) / len(bw):.1f}")
