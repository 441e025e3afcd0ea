# gradwatch-corpus: kind=second-backward
# holder: z | z0
# first-bad: 41
import torch

import lv
from node import init, odeint, rhs

torch.manual_seed(12)

dt, nw = 0.1, 8                 # step, steps per window
warm = 40                       # iterations of teacher forcing
ts, obs = lv.data(T=1600, dt=dt, s=0.02)
n_win = (len(ts) - 1) // nw

p = init(2, 24)
opt = torch.optim.Adam(p.values(), lr=4e-3)
sch = torch.optim.lr_scheduler.ExponentialLR(opt, 0.995)

z, n_bad, hist = None, 0, []
for it in range(140):
    k = it % n_win
    seg = obs[k * nw: (k + 1) * nw + 1]
    if it < warm or z is None or k == 0:
        z0 = seg[0]
    else:
        z0 = z
    opt.zero_grad()
    try:
        zs = odeint(rhs, p, z0, dt, nw)
        L = (zs[1:] - seg[1:]).pow(2).mean()
        if it >= warm:
            L = L + 0.1 * (z0 - seg[0]).pow(2).mean()
        L.backward()
    except RuntimeError:
        # stiff window, start the next one from the data
        z, n_bad = None, n_bad + 1
        continue
    torch.nn.utils.clip_grad_norm_(p.values(), 5.0)
    opt.step()
    sch.step()
    if it >= warm:
        z = zs[-1]  # <- culprit
    hist.append(L.item())
    if it % 20 == 0:
        print(f"{it:4d}  L {sum(hist[-10:]) / len(hist[-10:]):.5f}  skipped {n_bad}")

with torch.no_grad():
    zs = odeint(rhs, p, obs[0], dt, 60)
    err = (zs - obs[:61]).pow(2).mean(1).sqrt()
print("rollout rmse at 10/30/60:", [round(err[i].item(), 3) for i in (10, 30, 60)], "skipped", n_bad)
