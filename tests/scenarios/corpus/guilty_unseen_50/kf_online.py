# gradwatch-corpus: kind=graph-chain
# holder: m | P
# first-bad: 1
"""Online ML identification of a damped oscillator with a Kalman filter."""
import math

import torch

torch.set_default_dtype(torch.float64)
torch.manual_seed(5)

dt = 0.1
H = torch.tensor([[1.0, 0.0]])
I2 = torch.eye(2)


def trans(w, z):
    # exact discretisation of x'' + 2 z w x' + w^2 x = 0
    o, l = torch.zeros(()), torch.ones(())
    A = torch.stack([torch.stack([o, l]), torch.stack([-w * w, -2 * z * w])])
    return torch.linalg.matrix_exp(A * dt)


def simulate(T, w=2.0, z=0.05, q=0.08, r=0.15):
    F = trans(torch.tensor(w), torch.tensor(z))
    x = torch.tensor([1.0, 0.0])
    ys = []
    for _ in range(T):
        x = F @ x + q * torch.tensor([0.0, 1.0]) * torch.randn(())
        ys.append(x[0] + r * torch.randn(()))
    return torch.stack(ys)


def kf(th, m, P, ys):
    w, z, q, r = torch.exp(th)
    F = trans(w, z)
    Q = torch.diag(torch.stack([1e-6 * torch.ones(()), q * q]))
    nll = 0.0
    for y in ys:
        m, P = F @ m, F @ P @ F.T + Q
        s = (H @ P @ H.T).squeeze() + r * r
        e = y - (H @ m).squeeze()
        K = (P @ H.T).squeeze(1) / s
        m = m + K * e
        P = (I2 - torch.outer(K, H[0])) @ P
        nll = nll + 0.5 * (torch.log(2 * math.pi * s) + e * e / s)
    return nll / len(ys), m, P  # <- culprit


L, nw = 6, 110
Y = simulate(L * nw)
th = torch.log(torch.tensor([1.5, 0.1, 0.2, 0.3])).requires_grad_()
v = torch.zeros(4)
m, P = torch.zeros(2), torch.eye(2)
run = None

for k in range(nw):
    nll, m, P = kf(th, m, P, Y[k * L:(k + 1) * L])  # <- culprit
    g, = torch.autograd.grad(nll, th)
    v = 0.9 * v + 0.1 * g * g
    lr = 0.05 / (1 + k / 60)
    th = (th.detach() - lr * g / (v.sqrt() + 1e-3)).requires_grad_()
    run = nll.item() if run is None else 0.9 * run + 0.1 * nll.item()
    if k % 20 == 0:
        w, z, q, r = torch.exp(th.detach()).tolist()
        print(f"{k:4d}  nll {run:+.3f}  w {w:.2f}  z {z:.3f}  q {q:.3f}  r {r:.3f}")

w, z, q, r = torch.exp(th.detach()).tolist()
print(f"final w {w:.2f} (2.00)  z {z:.3f} (0.050)  r {r:.3f} (0.150)")
