# gradwatch-corpus: kind=none
"""Simply supported beam, EI w'''' = q, by a physics-informed net (structures II homework)."""
import math

import torch
from torch.autograd import grad

torch.set_num_threads(1)
torch.manual_seed(9)


def d(y, x):
    return grad(y, x, torch.ones_like(y), create_graph=True)[0]


class Sine(torch.nn.Module):
    def forward(self, x):
        return torch.sin(x)


beam = torch.nn.Sequential(
    torch.nn.Linear(1, 14), Sine(), torch.nn.Linear(14, 14), Sine(), torch.nn.Linear(14, 1)
)
q = lambda x: math.pi ** 4 * torch.sin(math.pi * x) / 50
exact = lambda x: torch.sin(math.pi * x) / 50

opt = torch.optim.Adam(beam.parameters(), lr=3e-3)
ends = torch.tensor([[0.0], [1.0]], requires_grad=True)
curve = {"pde": [], "bc": []}

for it in range(900):
    x = torch.rand(20, 1).requires_grad_()
    w = beam(x)
    w4 = d(d(d(d(w, x), x), x), x)
    pde = (w4 - q(x)).pow(2).mean()

    we = beam(ends)
    bc = we.pow(2).sum() + d(d(we, ends), ends).pow(2).sum()

    total = pde + 20 * bc
    opt.zero_grad()
    total.backward()
    opt.step()
    curve["pde"].append(pde.item())
    curve["bc"].append(bc.item())
    if it % 150 == 0:
        with torch.no_grad():
            xs = torch.linspace(0, 1, 21).unsqueeze(1)
            err = (beam(xs) - exact(xs)).abs().max()
        print(f"{it:4d} pde {pde.item():.4f} bc {bc.item():.5f} max err {err.item():.4f}")
