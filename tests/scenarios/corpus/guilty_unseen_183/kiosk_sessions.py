# gradwatch-corpus: kind=graph-held
# holder: self.live | sessions.live | session.state
# first-bad: 1
# notice: 100
"""Dwell-time prediction at ticket kiosks, with idle sessions expiring on a step clock."""
import heapq
import random

import torch
from torch import nn

IDLE_LIMIT = 30


class Session:
    def __init__(self, kiosk, serial):
        self.key = (kiosk, serial)
        self.kiosk = kiosk
        self.state = None
        self.touched = 0


class SessionStore:
    def __init__(self):
        self.live = {}
        self.deadlines = []
        self.serial = 0
        self.expired = 0

    def start(self, kiosk, now):
        session = Session(kiosk, self.serial)
        self.serial += 1
        self.live[session.key] = session
        heapq.heappush(self.deadlines, (now + IDLE_LIMIT, session.key))
        return session

    def expire(self, now):
        while self.deadlines and self.deadlines[0][0] <= now:
            _, (kiosk, _) = heapq.heappop(self.deadlines)
            self.live.pop(kiosk, None)  # <- culprit
            self.expired += 1


class DwellNet(nn.Module):
    def __init__(self, kiosks, dim=12):
        super().__init__()
        self.place = nn.Embedding(kiosks, dim)
        self.rnn = nn.GRU(4, dim, batch_first=True)
        self.out = nn.Linear(2 * dim, 1)

    def forward(self, kiosk, taps):
        _, h = self.rnn(taps)
        state = torch.cat([h[-1], self.place(kiosk)], -1)
        return state, nn.functional.softplus(self.out(state)).squeeze(-1)


def visit(rng, gen, kiosks):
    kiosk = rng.randrange(kiosks)
    n = rng.randint(3, 9)
    taps = torch.rand(1, n, 4, generator=gen)
    dwell = 0.3 * n + 0.1 * kiosk + taps[..., 0].mean()
    return kiosk, taps, dwell.reshape(1)


def main(steps=450, kiosks=7):
    torch.manual_seed(70)
    rng, gen = random.Random(70), torch.Generator().manual_seed(70)
    net = DwellNet(kiosks)
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    sessions = SessionStore()
    smooth = None
    for now in range(steps):
        kiosk, taps, dwell = visit(rng, gen, kiosks)
        session = sessions.start(kiosk, now)
        state, pred = net(torch.tensor([kiosk]), taps)
        loss = (pred - dwell).abs().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        session.state = state  # <- culprit
        session.touched = now
        sessions.expire(now)
        smooth = loss.item() if smooth is None else 0.95 * smooth + 0.05 * loss.item()
        if now % 90 == 89:
            print(f"{now + 1} abs err {smooth:.3f} expired {sessions.expired}")


if __name__ == "__main__":
    main()
