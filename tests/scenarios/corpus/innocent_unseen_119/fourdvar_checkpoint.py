# gradwatch-corpus: kind=none
"""Strong-constraint 4D-Var cycles for a 1-D shallow water channel.

The forward model is checkpointed per sub-interval; cycles are minimised with L-BFGS and
the analysis at the end of each window is the background of the next.
"""
import numpy as np
import torch
from torch.utils.checkpoint import checkpoint

torch.set_num_threads(1)
torch.manual_seed(6)

NX, DX, DT, G, H0 = 24, 1.0, 0.05, 9.8, 1.0
SUB, NSUB = 1, 2
CYCLES = 300
obs_at = torch.arange(0, NX, 3)


def tendency(s):
    h, u = s[0], s[1]
    dh = -((torch.roll(h, -1) * torch.roll(u, -1)) - (torch.roll(h, 1) * torch.roll(u, 1))) / (2 * DX)
    du = -u * (torch.roll(u, -1) - torch.roll(u, 1)) / (2 * DX) - G * (torch.roll(h, -1) - torch.roll(h, 1)) / (2 * DX)
    lap = torch.roll(s, -1, 1) - 2 * s + torch.roll(s, 1, 1)
    return torch.stack([dh, du]) + 0.15 * lap


def sub_interval(s):
    for _ in range(SUB):
        k = tendency(s)
        s = s + DT * tendency(s + 0.5 * DT * k)
    return s


def forward(s, ckpt):
    out = []
    for _ in range(NSUB):
        s = checkpoint(sub_interval, s, use_reentrant=False) if ckpt else sub_interval(s)
        out.append(s)
    return out


# background error correlations, square root by eigen-decomposition
d = (torch.arange(NX)[:, None] - torch.arange(NX)[None]).abs()
d = torch.minimum(d, NX - d).float()
ev, V = torch.linalg.eigh(torch.exp(-0.5 * (d / 2.0) ** 2) + 1e-3 * torch.eye(NX))
B_half = 0.05 * V @ torch.diag(ev.clamp_min(1e-6).sqrt())

xs = torch.arange(NX) * 2 * np.pi / NX
truth = torch.stack([H0 + 0.1 * torch.sin(xs), 0.1 * torch.cos(xs)])
xb = torch.stack([H0 + 0.0 * xs, 0.0 * xs])
archive = {'J': [], 'rmse': [], 'analysis': []}
last = None

for cyc in range(CYCLES):
    with torch.no_grad():
        ref = forward(truth, False)
        yo = [r[0, obs_at] + 0.01 * torch.randn(len(obs_at)) for r in ref]
        forcing = 0.03 * torch.sin(xs * (1 + cyc % 3) + cyc)

    v = torch.zeros(2, NX, requires_grad=True)          # control variable
    opt = torch.optim.LBFGS([v], lr=0.7, max_iter=1, history_size=5)
    evals = []

    def closure():
        opt.zero_grad()
        x0 = xb + v @ B_half.T
        traj = forward(x0, True)
        Jo = sum(((t[0, obs_at] - y) ** 2).sum() for t, y in zip(traj, yo)) / (2 * 0.01 ** 2)
        J = 0.5 * (v ** 2).sum() + Jo
        J.backward()
        evals.append(J)                 # this cycle only; emptied with the next list
        return J

    last = opt.step(closure)
    with torch.no_grad():
        xa = xb + v @ B_half.T
        xb = forward(xa, False)[-1]
        truth = ref[-1] + torch.stack([forcing, torch.zeros(NX)])
        truth[0] += H0 - truth[0].mean()
        xb[0] += H0 - xb[0].mean()
    archive['J'].append((evals[0].item(), evals[-1].item()))
    archive['rmse'].append((xa - 0).sub(ref[0]).pow(2).mean().sqrt().item())
    archive['analysis'].append(xa.clone())
    if cyc % 60 == 59:
        r = np.mean(archive['rmse'][-30:])
        j0, j1 = np.mean(archive['J'][-30:], 0)
        print(f'cycle {cyc + 1:4d}  J {j0:9.2f} -> {j1:8.2f}   rmse {r:.4f}   last {last.item():.2f}')

A = torch.stack(archive['analysis'])
print('analysis climatology: mean h %.4f  sd h %.4f' % (A[:, 0].mean().item(), A[:, 0].std().item()))
