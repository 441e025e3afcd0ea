# gradwatch-corpus: kind=graph-chain
# holder: self.x | self.P | kf.x | kf.P
# first-bad: 1
# notice: 5
"""
Adaptive Kalman filter for bus arrival prediction (line 14, inbound).
State = [delay (min), delay drift (min/stop)]; the noise levels are learned online
with the innovation likelihood. AVL pings are simulated.
"""
import math
import random

import torch
import torch.nn as nn

torch.set_num_threads(1)
SEED = 14
random.seed(SEED)
torch.manual_seed(SEED)

N_STOPS = 122
DT = 1.0


def simulate_route(n):
    """true delay, noisy delay and the schedule features at every stop"""
    delay, drift = 0.0, 0.05
    obs, truth, feats = [], [], []
    for s in range(n):
        hour = 7 + 12 * s / n
        rush = math.exp(-((hour - 8.5) ** 2)) + math.exp(-((hour - 17.5) ** 2))
        drift = 0.9 * drift + 0.1 * rush + random.gauss(0, 0.05)
        delay = 0.97 * delay + drift * DT
        truth.append(delay)
        obs.append(delay + random.gauss(0, 0.4))
        feats.append([rush, math.sin(hour / 24 * 2 * math.pi), float(s % 7 == 0)])
    return torch.tensor(obs), torch.tensor(truth), torch.tensor(feats)


class AdaptiveKF(nn.Module):
    def __init__(self):
        super().__init__()
        self.log_q = nn.Parameter(torch.tensor([-2.0, -4.0]))
        self.log_r = nn.Parameter(torch.tensor(0.0))
        self.register_buffer("F", torch.tensor([[1.0, DT], [0.0, 0.95]]))
        self.register_buffer("H", torch.tensor([[1.0, 0.0]]))
        self.reset()

    def reset(self):
        self.x = torch.zeros(2, 1)
        self.P = torch.eye(2)

    def predict(self):
        Q = torch.diag(torch.exp(self.log_q))
        x = self.F @ self.x
        P = self.F @ self.P @ self.F.T + Q
        return x, P

    def forward(self, z):
        x, P = self.predict()
        innov = z - self.H @ x
        S = self.H @ P @ self.H.T + torch.exp(self.log_r)
        K = P @ self.H.T / S
        self.x = x + K @ innov  # <- culprit
        self.P = (torch.eye(2) - K @ self.H) @ P  # <- culprit
        nll = 0.5 * (innov ** 2 / S + torch.log(S))
        return nll.squeeze(), innov


def mae(pred, truth):
    return sum(abs(p - t) for p, t in zip(pred, truth)) / len(truth)


def main():
    obs, truth, feats = simulate_route(N_STOPS)
    kf = AdaptiveKF()
    opt = torch.optim.Adam(kf.parameters(), lr=0.02)
    preds = []
    running = 0.0
    for stop in range(N_STOPS):
        with torch.no_grad():
            px, _ = kf.predict()
            preds.append(px[0].item())
        loss, innov = kf(obs[stop])
        opt.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        nn.utils.clip_grad_norm_(kf.parameters(), 1.0)
        opt.step()
        running = 0.95 * running + 0.05 * loss.item()
        if stop % 30 == 0:
            q = torch.exp(kf.log_q).tolist()
            print(f"stop {stop:3d} nll {running:.3f} q={q[0]:.4f},{q[1]:.4f} "
                  f"r={kf.log_r.exp().item():.3f}")
    print("MAE one stop ahead: %.3f min" % mae(preds, truth.tolist()))


if __name__ == "__main__":
    main()
