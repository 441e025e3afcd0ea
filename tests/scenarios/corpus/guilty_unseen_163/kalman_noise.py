# gradwatch-corpus: kind=graph-chain
# holder: self.x | self.P | kf.x | kf.P
# first-bad: 1
"""Learn process and measurement noise of a constant velocity Kalman filter online."""
import math

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(0)

WINDOW = 6


class KalmanFilter(nn.Module):
    def __init__(self, dt=0.1):
        super().__init__()
        self.log_q = nn.Parameter(torch.tensor(-1.0))
        self.log_r = nn.Parameter(torch.tensor(0.5))
        self.register_buffer("F", torch.tensor([[1.0, dt], [0.0, 1.0]]))
        self.register_buffer("H", torch.tensor([[1.0, 0.0]]))
        self.register_buffer("G", torch.tensor([[0.5 * dt * dt], [dt]]))
        self.reset()

    def reset(self):
        self.x = torch.zeros(2, 1)
        self.P = torch.eye(2)

    def predict(self):
        Q = self.log_q.exp() * (self.G @ self.G.T)
        self.x = self.F @ self.x
        self.P = self.F @ self.P @ self.F.T + Q

    def update(self, z):
        R = self.log_r.exp().reshape(1, 1)
        innov = z.reshape(1, 1) - self.H @ self.x
        S = self.H @ self.P @ self.H.T + R
        K = self.P @ self.H.T / S
        self.x = self.x + K @ innov  # <- culprit
        self.P = (torch.eye(2) - K @ self.H) @ self.P  # <- culprit
        return 0.5 * (innov ** 2 / S + S.log() + math.log(2 * math.pi)).sum()

    def forward(self, zs):
        nll = 0.0
        for z in zs:
            self.predict()
            nll = nll + self.update(z)
        return nll / len(zs)


def track(n, dt=0.1, q=2.0, r=0.3):
    pos, vel, out = 0.0, 1.0, []
    for _ in range(n):
        acc = q * torch.randn(()).item()
        pos += vel * dt + 0.5 * acc * dt * dt
        vel = 0.995 * vel + acc * dt
        out.append(pos + r * torch.randn(()).item())
    return torch.tensor(out)


def main():
    zs = track(WINDOW * 60)
    kf = KalmanFilter()
    opt = torch.optim.Adam(kf.parameters(), lr=0.03)
    for i, chunk in enumerate(zs.split(WINDOW)):
        opt.zero_grad()
        nll = kf(chunk)
        nll.backward(retain_graph=True)
        opt.step()
        if i % 10 == 0:
            print(f"window {i:3d} nll {nll.item():.3f} q {kf.log_q.exp().item():.3f} "
                  f"r {kf.log_r.exp().item():.3f}")
    print("final estimate", kf.x.flatten().tolist())


if __name__ == "__main__":
    main()
