# gradwatch-corpus: kind=inplace-modified
# holder: x | X | x[:, OBS]
# first-bad: 30
# notice: 0
"""Lorenz-96 with an unknown forcing field and a learnable nudging gain.

Short windows of data assimilation: integrate an ensemble, relax it towards the observed
sites at observation times, score against the withheld sites.  Before `SPINUP` passes only
the free run is scored (gain not used).
"""
import numpy as np
import torch

torch.set_num_threads(1)
torch.manual_seed(9)

NX, NE = 12, 8
DT = 0.02
WINDOW = 8
OBS_EVERY = 4
SPINUP = 30
R_OBS = 0.2 ** 2
NPASS = 200
OBS = torch.arange(0, NX, 2)
HID = torch.arange(1, NX, 2)
F_TRUE = 8.0 + torch.sin(2 * np.pi * torch.arange(NX) / NX)


def l96(x, F):
    return (torch.roll(x, -1, -1) - torch.roll(x, 2, -1)) * torch.roll(x, 1, -1) - x + F


def heun(x, F):
    k1 = l96(x, F)
    k2 = l96(x + DT * k1, F)
    return x + 0.5 * DT * (k1 + k2)


def truth_window(x):
    out = []
    with torch.no_grad():
        for _ in range(WINDOW):
            x = heun(x, F_TRUE)
            out.append(x)
    return torch.stack(out)


ctrl = {
    'F': torch.full((NX,), 7.0, requires_grad=True),
    'gain': torch.full((len(OBS),), -1.0, requires_grad=True),
}
opt = torch.optim.Adam([{'params': [ctrl['F']], 'lr': 0.05}, {'params': [ctrl['gain']], 'lr': 0.02}])


def assimilate(x, y, nudge):
    """Returns analysed trajectory (window, member, site)."""
    G = torch.sigmoid(ctrl['gain'])
    X = []
    spread = x.new_zeros(())
    for n in range(WINDOW):
        x = heun(x, ctrl['F'])
        if (n + 1) % OBS_EVERY == 0:
            s2 = x.var(0)
            spread = spread + s2.mean()
            if nudge:
                K = G * s2[OBS] / (s2[OBS] + R_OBS)
                x[:, OBS] += K * (y[n] - x[:, OBS])  # <- culprit
        X.append(x)
    return torch.stack(X), spread


xt = 8.0 + torch.randn(NX)
for _ in range(200):
    xt = heun(xt, F_TRUE)
ens = xt + torch.randn(NE, NX)

score = np.zeros(NPASS)
for ip in range(NPASS):
    ref = truth_window(xt)
    obs = ref[:, OBS] + 0.2 * torch.randn(WINDOW, len(OBS))
    X, spread = assimilate(ens, obs, nudge=ip >= SPINUP)
    hid = ((X[:, :, HID].mean(1) - ref[:, HID]) ** 2).mean()
    vis = ((X[:, :, OBS].mean(1) - obs) ** 2).mean()
    J = hid + vis + 0.01 * (spread - 0.3) ** 2 + 1e-3 * ((ctrl['F'] - 8.0) ** 2).sum()
    opt.zero_grad()
    J.backward()
    opt.step()
    score[ip] = J.item()
    xt = ref[-1]
    ens = X[-1].detach() if ip >= SPINUP else xt + 0.5 * torch.randn(NE, NX)
    if ip % 10 == 0:
        print('%4d  J %.4f  mean F %.3f  gain %.3f' % (ip, score[ip], ctrl['F'].mean().item(), torch.sigmoid(ctrl['gain']).mean().item()))
