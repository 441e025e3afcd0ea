# gradwatch-corpus: kind=graph-chain
# holder: x | P | filt
# first-bad: 1
# also: retain-needless
# after: jlamprou/Infini-Attention issue 3 "Do we need .backward(retain_graph=True)?" (memory handed on without detach); here the state lives in a generator
"""Identify process and sensor noise of a vehicle tracker by gradient descent on the innovation likelihood."""
import math

import torch
from torch import nn


def simulate(steps, dt, seed=5):
    g = torch.Generator().manual_seed(seed)
    pos, vel = torch.zeros(2), torch.tensor([1.0, 0.4])
    for _ in range(steps):
        vel = vel + 0.15 * math.sqrt(dt) * torch.randn(2, generator=g)
        pos = pos + dt * vel
        yield pos + 0.6 * torch.randn(2, generator=g)


class Noise(nn.Module):
    """log std of acceleration, log std of the two GPS axes, decay of the velocity"""

    def __init__(self):
        super().__init__()
        self.log_q = nn.Parameter(torch.tensor(0.0))
        self.log_r = nn.Parameter(torch.zeros(2))
        self.drag = nn.Parameter(torch.tensor(-4.0))

    def process(self, dt):
        q = self.log_q.exp() ** 2
        block = torch.tensor([[dt ** 3 / 3, dt ** 2 / 2], [dt ** 2 / 2, dt]])
        return q * torch.kron(block, torch.eye(2))

    def sensor(self):
        return torch.diag_embed(self.log_r.exp() ** 2)

    def transition(self, dt):
        keep = 1.0 - dt * torch.sigmoid(self.drag)
        shift = torch.zeros(4, 4)
        shift[0, 2] = shift[1, 3] = dt
        mask = torch.diag(torch.tensor([0.0, 0.0, 1.0, 1.0]))
        return torch.diag(torch.tensor([1.0, 1.0, 0.0, 0.0])) + shift + keep * mask


def kalman(noise, dt):
    """Coroutine: send a list of measurements, get mean negative log likelihood and filtered path."""
    H = torch.eye(2, 4)
    x, P = torch.zeros(4), 10.0 * torch.eye(4)
    answer = None
    while True:
        zs = yield answer  # <- culprit
        F, Q, R = noise.transition(dt), noise.process(dt), noise.sensor()
        nll, path = [], []
        for z in zs:
            x = F @ x
            P = F @ P @ F.T + Q
            S = H @ P @ H.T + R
            innov = z - H @ x
            K = torch.linalg.solve(S, H @ P).T
            x = x + K @ innov  # <- culprit
            P = P - K @ S @ K.T  # <- culprit
            nll.append(0.5 * (innov @ torch.linalg.solve(S, innov) + torch.logdet(S)))
            path.append(x)
        answer = torch.stack(nll).mean(), torch.stack(path)


def chunks(it, n):
    buf = []
    for item in it:
        buf.append(item)
        if len(buf) == n:
            yield buf
            buf = []


def main(dt=0.2, window=4, updates=75):
    noise = Noise()
    opt = torch.optim.SGD(noise.parameters(), lr=0.03, momentum=0.5)
    filt = kalman(noise, dt)
    next(filt)
    for k, zs in enumerate(chunks(simulate(window * updates, dt), window)):
        nll, path = filt.send(zs)
        opt.zero_grad()
        nll.backward(retain_graph=True)
        nn.utils.clip_grad_norm_(noise.parameters(), 1.0)
        opt.step()
        if k % 15 == 0:
            print(f"{k:3d} nll {nll.item():.3f} q {noise.log_q.exp().item():.3f} "
                  f"r {noise.log_r.exp().tolist()} at {path[-1, :2].tolist()}")


if __name__ == "__main__":
    main()
