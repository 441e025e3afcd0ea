# gradwatch-corpus: kind=second-backward
# holder: self.P | kf.P
# first-bad: 1
"""Fit process / measurement noise of a constant-velocity Kalman filter, window by window."""
import torch
import torch.nn as nn

WINDOW = 12


class KalmanCV(nn.Module):
    def __init__(self, dt=0.1):
        super().__init__()
        self.register_buffer("F", torch.tensor([[1.0, dt], [0.0, 1.0]]))
        self.register_buffer("G", torch.tensor([[0.5 * dt * dt], [dt]]))
        self.register_buffer("H", torch.tensor([[1.0, 0.0]]))
        self.log_q = nn.Parameter(torch.tensor(0.0))
        self.log_r = nn.Parameter(torch.tensor(0.0))
        self.reset()

    def reset(self):
        self.x = torch.zeros(2, 1)
        self.P = 10.0 * torch.eye(2)

    def step(self, x, P, z):
        Q = self.log_q.exp() * self.G @ self.G.T + 1e-6 * torch.eye(2)
        x = self.F @ x
        P = self.F @ P @ self.F.T + Q
        S = self.H @ P @ self.H.T + self.log_r.exp()
        innov = z - self.H @ x
        gain = torch.linalg.solve(S, self.H @ P).T
        nll = 0.5 * (torch.logdet(S) + (innov.T @ torch.linalg.solve(S, innov)).squeeze())
        IKH = torch.eye(2) - gain @ self.H
        return x + gain @ innov, IKH @ P @ IKH.T + self.log_r.exp() * gain @ gain.T, nll

    def forward(self, zs):
        x, P = self.x, self.P
        nll = 0.0
        for z in zs:
            x, P, l = self.step(x, P, z.view(1, 1))
            nll = nll + l
        self.x = x.detach()
        self.P = P  # <- culprit
        return nll / len(zs)


def synth_track(T, dt=0.1, q=2.0, r=0.25):
    pos, vel, zs = 0.0, 1.0, []
    for _ in range(T):
        acc = q ** 0.5 * torch.randn(()).item()
        pos += vel * dt + 0.5 * acc * dt * dt
        vel += acc * dt
        zs.append(pos + r ** 0.5 * torch.randn(()).item())
    return torch.tensor(zs)


def main():
    torch.manual_seed(5)
    kf = KalmanCV()
    optim = torch.optim.Adam(kf.parameters(), lr=0.05)
    track = synth_track(WINDOW * 130)
    skipped, log = 0, []
    for w, zs in enumerate(track.split(WINDOW)):
        optim.zero_grad()
        try:
            nll = kf(zs)
            nll.backward()
        except RuntimeError:  # covariance went singular
            skipped += 1
            kf.reset()
            continue
        optim.step()
        log.append(nll.item())
        if w % 20 == 0:
            print(f"window {w}: nll {sum(log[-10:]) / len(log[-10:]):.3f} "
                  f"q={kf.log_q.exp().item():.2f} r={kf.log_r.exp().item():.2f} skipped={skipped}")
    print(f"done, {skipped} windows skipped")


if __name__ == "__main__":
    main()
