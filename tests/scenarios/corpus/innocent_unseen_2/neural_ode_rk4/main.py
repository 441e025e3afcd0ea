# gradwatch-corpus: kind=none
"""Neural ODE with an RK4 solver that counts calls and records the trajectory of the latest solve."""
import os, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import torch
from ode import Field, RK4

torch.manual_seed(34)
field = Field(2, 24)
solver = RK4(field)
opt = torch.optim.Adam(field.parameters(), lr=5e-3)
A = torch.tensor([[-0.1, 1.0], [-1.0, -0.1]])
for it in range(120):
    T = 4 + it // 30
    y0 = torch.randn(16, 2)
    tgt = torch.stack([y0 @ torch.matrix_exp(0.2 * k * A).t() for k in range(1, T + 1)])
    pred = solver.solve(y0, dt=0.2, steps=T)
    loss = (pred - tgt).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 30 == 0:
        print(it, "T", T, "%.4f" % loss.item(), "nfe", field.nfe, "end", solver.trajectory[-1][0].tolist())
