# gradwatch-corpus: kind=graph-held
# holder: self.last_seen | harbour.last_seen
# first-bad: 1
# notice: 8
# AIS pings -> next position.  Every crossing gets its own key, the map view reads the embedding.
import itertools
import math

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(36)


def crossings(batch=6, pings=10):
    for number in itertools.count(1):
        heading = torch.rand(batch, 1) * 2 * math.pi
        speed = 0.5 + torch.rand(batch, 1)
        step = torch.cat([heading.cos(), heading.sin()], 1) * speed
        drift = 0.05 * torch.randn(batch, pings + 1, 2)
        track = torch.arange(pings + 1).view(1, -1, 1) * step.unsqueeze(1) * 0.1 + drift
        keys = [f"F{number:05d}-{b}" for b in range(batch)]
        yield keys, track[:, :-1], track[:, -1]


class Harbour(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(2, 14, batch_first=True)
        self.where = nn.Linear(14, 2)
        self.last_seen = {}

    def remember(self, keys, emb):
        self.last_seen.update(zip(keys, emb.unbind(0)))  # <- culprit

    def forward(self, keys, track):
        out, _ = self.rnn(track)
        emb = out[:, -1]
        self.remember(keys, emb)
        return track[:, -1] + self.where(emb)


harbour = Harbour()
optimizer = torch.optim.Adam(harbour.parameters(), lr=5e-3)
huber = nn.HuberLoss()
for n, (keys, track, target) in enumerate(crossings()):
    if n == 450:
        break
    loss = huber(harbour(keys, track), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if n % 90 == 0:
        print(f"{n:4d}  {loss.item():.5f}  vessels on map: {len(harbour.last_seen)}")
