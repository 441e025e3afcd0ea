# gradwatch-corpus: kind=graph-chain
# holder: S | S[r] | S[0]
# first-bad: 1
# notice: 5
#
# Linear-reservoir cascade, three reaches in a row. Calibrates the runoff
# coefficient of every land-use class against a (made up) gauge at the mouth.
# One calibration update per day of the record.

import numpy as np
import torch

torch.set_num_threads(1)
torch.manual_seed(77)
rng = np.random.default_rng(77)

NR = 3            # reaches
NL = 4            # land-use classes
ND = 180          # days
K = (0.25, 0.18, 0.12)
TRUE_C = np.array([0.15, 0.35, 0.55, 0.80], dtype=np.float32)
AREA = rng.dirichlet(np.ones(NL), size=NR).astype(np.float32)


def rain(day):
    wet = rng.random() < 0.35 + 0.1 * np.sin(day / 30.0)
    return float(rng.gamma(1.5, 6.0)) if wet else 0.0


# ---- synthetic record -------------------------------------------------
P = np.array([rain(d) for d in range(ND)], dtype=np.float32)
Q_obs = np.zeros(ND, dtype=np.float32)
s = np.zeros(NR, dtype=np.float32)
for d in range(ND):
    up = 0.0
    for r in range(NR):
        s[r] += P[d] * float(AREA[r] @ TRUE_C) + up
        up = K[r] * s[r]
        s[r] -= up
    Q_obs[d] = up + 0.02 * rng.standard_normal()

# ---- calibration ------------------------------------------------------
c = torch.nn.Parameter(torch.full((NL,), 0.4))
opt = torch.optim.Adam([c], lr=0.01)
area = torch.from_numpy(AREA)

S = np.empty(NR, dtype=object)        # storage of every reach, mm
for r in range(NR):
    S[r] = torch.zeros(())

sse = 0.0
for d in range(ND):
    inflow = torch.zeros(())
    for r in range(NR):
        water = S[r] + (area[r] * float(P[d]) * c).sum() + inflow
        inflow = water * K[r]
        S[r] = water - inflow  # <- culprit
    q = inflow
    loss = (q - float(Q_obs[d])) ** 2
    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()
    sse += loss.item()
    if (d + 1) % 30 == 0:
        print("day %3d  P %5.1f  Q %6.3f / %6.3f  mean sq err %.5f"
              % (d + 1, P[d], q.item(), Q_obs[d], sse / 30))
        sse = 0.0

print("coefficients", " ".join("%.3f" % v for v in c.tolist()))
