# gradwatch-corpus: kind=none
# Learn the noise covariances of a Kalman filter (level of a water tank with a
# slow inflow) by maximising the likelihood of the innovations.
import numpy as np
import torch

torch.manual_seed(21)
np.random.seed(21)
torch.set_default_dtype(torch.float64)

DT = 1.0
CHUNK = 15
N_CHUNKS = 120
F = torch.tensor([[1.0, DT], [0.0, 0.98]])
H = torch.tensor([[1.0, 0.0]])
EYE = torch.eye(2)


def record(n, q=(0.02, 0.05), r=0.4):
    level, flow, zs = 5.0, 0.1, []
    for _ in range(n):
        level += DT * flow + np.random.normal(0, q[0])
        flow = 0.98 * flow + np.random.normal(0, q[1])
        zs.append(level + np.random.normal(0, r))
    return torch.tensor(zs)


class LearnedKalman(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.log_q = torch.nn.Parameter(torch.tensor([-2.0, -2.0]))
        self.log_r = torch.nn.Parameter(torch.tensor([0.5]))
        self.x = torch.zeros(2, 1)
        self.P = 10 * EYE

    def predict(self):
        Q = torch.diag(torch.exp(2 * self.log_q))
        self.x = F @ self.x
        self.P = F @ self.P @ F.t() + Q

    def update(self, z):
        R = torch.exp(2 * self.log_r).view(1, 1)
        y = z.view(1, 1) - H @ self.x
        S = H @ self.P @ H.t() + R
        K = self.P @ H.t() / S
        self.x = self.x + K @ y
        self.P = (EYE - K @ H) @ self.P
        return 0.5 * (torch.log(S) + y ** 2 / S).squeeze()

    def cut(self):
        self.x.detach_()
        self.P = self.P.detach()


zs = record(CHUNK * N_CHUNKS)
kf = LearnedKalman()
opt = torch.optim.Adam(kf.parameters(), lr=0.03)
ema = None
estimates = []

for k in range(N_CHUNKS):
    chunk = zs[k * CHUNK:(k + 1) * CHUNK]
    nll = 0
    for z in chunk:
        kf.predict()
        nll = nll + kf.update(z)
        estimates.append(kf.x[0, 0].item())
    nll = nll / CHUNK
    opt.zero_grad()
    nll.backward()
    opt.step()
    kf.cut()
    ema = float(nll) if ema is None else 0.9 * ema + 0.1 * float(nll)
    if k % 20 == 0:
        q, r = kf.log_q.exp().tolist(), kf.log_r.exp().item()
        print("chunk %3d  nll %.3f  q = (%.3f, %.3f)  r = %.3f" % (k, ema, q[0], q[1], r))

resid = zs.numpy() - np.array(estimates)
print("rms of the residuals, last third: %.3f" % np.sqrt((resid[-len(resid) // 3:] ** 2).mean()))
