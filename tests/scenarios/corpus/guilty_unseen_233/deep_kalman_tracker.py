# gradwatch-corpus: kind=graph-chain
# holder: kf.x | kf.P | self.x | self.P
# first-bad: 1
import math

import torch
import torch.nn as nn


def make_track(T, dt, generator):
    """constant velocity target with a little manoeuvre noise"""
    s = torch.tensor([0.0, 0.0, 1.0, 0.5])
    zs = []
    truth = []
    for t in range(T):
        a = 0.3 * torch.randn(2, generator=generator)
        s = s.clone()
        s[:2] = s[:2] + dt * s[2:]
        s[2:] = s[2:] + dt * a
        truth.append(s)
        zs.append(s[:2] + 0.4 * torch.randn(2, generator=generator))
    return torch.stack(zs), torch.stack(truth)


class KalmanFilter(nn.Module):
    def __init__(self, dt):
        super().__init__()
        F = torch.eye(4)
        F[0, 2] = dt
        F[1, 3] = dt
        H = torch.zeros(2, 4)
        H[0, 0] = 1.0
        H[1, 1] = 1.0
        self.register_buffer("F", F)
        self.register_buffer("H", H)
        self.register_buffer("I", torch.eye(4))
        self.log_q = nn.Parameter(torch.full((4,), -2.0))
        self.log_r = nn.Parameter(torch.full((2,), 1.0))
        self.init_state()

    def init_state(self):
        self.x = torch.zeros(4)
        self.P = 10.0 * torch.eye(4)

    def predict(self):
        Q = torch.diag(torch.exp(self.log_q))
        x_pred = self.F @ self.x
        P_pred = self.F @ self.P @ self.F.t() + Q
        return x_pred, P_pred

    def update(self, z, x_pred, P_pred):
        R = torch.diag(torch.exp(self.log_r))
        y = z - self.H @ x_pred
        S = self.H @ P_pred @ self.H.t() + R
        K = P_pred @ self.H.t() @ torch.linalg.inv(S)
        self.x = x_pred + K @ y  # <- culprit
        self.P = (self.I - K @ self.H) @ P_pred  # <- culprit
        return y, S

    def nll(self, y, S):
        maha = y @ torch.linalg.solve(S, y)
        logdet = torch.logdet(S)
        return 0.5 * (maha + logdet + 2 * math.log(2 * math.pi))

    def forward(self, z):
        x_pred, P_pred = self.predict()
        y, S = self.update(z, x_pred, P_pred)
        return self.nll(y, S)


def main():
    torch.manual_seed(3)
    g = torch.Generator()
    g.manual_seed(11)
    dt = 0.1
    z, truth = make_track(90, dt, g)
    kf = KalmanFilter(dt)
    opt = torch.optim.Adam(kf.parameters(), lr=5e-3)
    nlls = []
    for t in range(z.shape[0]):
        loss = kf(z[t])
        opt.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        opt.step()
        nlls.append(loss.item())
        if t % 15 == 0:
            err = torch.dist(kf.x.detach()[:2], truth[t, :2]).item()
            print(f"t={t:3d} nll={loss.item():.3f} pos_err={err:.3f}")
    print("q", kf.log_q.detach().exp().tolist())
    print("r", kf.log_r.detach().exp().tolist())
    print("mean nll", sum(nlls) / len(nlls))


if __name__ == "__main__":
    main()
