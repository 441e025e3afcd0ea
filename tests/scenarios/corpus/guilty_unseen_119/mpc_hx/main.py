# gradwatch-corpus: kind=graph-chain
# holder: self.dist | obs.dist
# first-bad: 1
# notice: 5
# Receding-horizon control of a counter-flow heat exchanger with a disturbance observer.
# The plant parameters (gains) in the model are tuned online: each control interval does one
# gradient step on the one-step prediction error, then solves the MPC with a few Gauss-Newton
# sweeps.  Ported from a MATLAB script; units are normalised.
import numpy as np
import torch

from plant import Plant
from model import ModelPar, predict
from observer import OffsetObserver
from mpc import solve_mpc

torch.set_num_threads(1)
torch.manual_seed(1)
rs = np.random.RandomState(1)

STEPS = 200
HOR = 6

plant = Plant(rs)
par = ModelPar()
obs = OffsetObserver(gain=0.15)
opt = torch.optim.SGD(par.leaves(), lr=0.02)

x = plant.measure()
u = torch.zeros(1)
U = torch.zeros(HOR, 1)
rec = {'T': [], 'u': [], 'e': [], 'g': []}

for k in range(STEPS):
    ref = 0.8 if (k // 50) % 2 == 0 else 0.3
    x_next = plant.step(u)

    # --- identification --------------------------------------------------------------
    opt.zero_grad()
    x_hat = obs.correct(predict(par, x, u))
    err = x_next - x_hat
    J = (err ** 2).sum() + 1e-3 * par.prior()
    J.backward(retain_graph=True)  # <- culprit
    opt.step()
    obs.update(err)  # <- culprit

    # --- control ---------------------------------------------------------------------
    U = solve_mpc(par, x_next, obs.offset(), U, ref)
    u = U[0].clone()
    U = torch.cat([U[1:], U[-1:]])
    x = x_next

    rec['T'].append(x_next[0].item())
    rec['u'].append(u.item())
    rec['e'].append(err.detach().norm().item())
    rec['g'].append(par.gain[0].item())
    if k % 50 == 49:
        print(f"k={k + 1:3d} T={rec['T'][-1]:.3f} ref={ref} u={rec['u'][-1]:.3f} |e|={np.mean(rec['e'][-20:]):.4f} g0={rec['g'][-1]:.3f}")
