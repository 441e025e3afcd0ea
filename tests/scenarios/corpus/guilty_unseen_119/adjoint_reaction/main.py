# gradwatch-corpus: kind=graph-held
# holder: Integrate.tape | adjoint.Integrate.tape | Integrate.tape[i]
# first-bad: 1
# notice: 8
"""Rate constants of a Brusselator from partial concentrations, discrete adjoint written by hand."""
import math
import numpy as np
import torch

from adjoint import Integrate, solver_summary
from kinetics import rhs, rhs_vjp

torch.set_num_threads(1)
torch.manual_seed(21)
rng = np.random.default_rng(21)

NT, DT = 20, 0.08
N_IT = 260
TRUE = torch.tensor([1.0, 2.1])


def simulate(k, c0):
    with torch.no_grad():
        return Integrate.apply(k, c0, DT, NT, rhs, rhs_vjp)


theta = {'A': torch.tensor(math.log(0.7), requires_grad=True),
         'B': torch.tensor(math.log(1.5), requires_grad=True)}
opt = torch.optim.Adam(theta.values(), lr=0.02)
sigma = 0.03

loss_log, par_log = [], []
for it in range(N_IT):
    c0 = torch.tensor(rng.uniform(0.5, 2.0, size=(16, 2)), dtype=torch.float32)
    data = simulate(TRUE, c0)
    data = data + sigma * torch.randn_like(data)

    k = torch.stack([theta['A'], theta['B']]).exp()
    traj = Integrate.apply(k, c0, DT, NT, rhs, rhs_vjp)
    # only the first species is seen, every third sample
    misfit = ((traj[::3, :, 0] - data[::3, :, 0]) ** 2).mean() / sigma ** 2
    prior = 0.01 * sum(p ** 2 for p in theta.values())
    loss = misfit + prior

    opt.zero_grad()
    loss.backward()
    opt.step()

    loss_log.append(loss.item())
    par_log.append([p.exp().item() for p in theta.values()])
    if (it + 1) % 65 == 0:
        print(f'{it + 1:4d}  loss {np.mean(loss_log[-20:]):8.3f}  A {par_log[-1][0]:.3f}  B {par_log[-1][1]:.3f}')

print(solver_summary())
