# gradwatch-corpus: kind=second-backward
# first-bad: 1
"""Traffic speed forecast on a road graph: 15 minutes ahead from the last hour of sensor readings,
with an adjacency learnt from sensor embeddings."""
import math

import torch
from torch import nn

torch.manual_seed(31)

SENSORS = 30
PAST = 12
AHEAD = 3
BATCH = 16
ITERS = 500


def simulate_speeds(n_steps, seed=31):
    g = torch.Generator().manual_seed(seed)
    xy = torch.rand(SENSORS, 2, generator=g)
    dist = torch.cdist(xy, xy)
    mix = torch.exp(-(dist / 0.25) ** 2)
    mix = mix / mix.sum(1, keepdim=True)
    v = torch.full((SENSORS,), 60.0)
    rows = []
    for k in range(n_steps):
        rush = 18 * max(0.0, math.sin(2 * math.pi * k / 288)) ** 3
        shock = torch.randn(SENSORS, generator=g) * 1.5
        v = 0.85 * (mix @ v) + 0.15 * (60 - rush) + shock
        rows.append(v)
    data = torch.stack(rows)
    return (data - data.mean()) / data.std()


def adaptive_adjacency(e_from, e_to):
    scores = torch.relu(e_from @ e_to.T)
    return torch.softmax(scores, dim=1)


class GraphConv(nn.Module):
    def __init__(self, c_in, c_out, hops=2):
        super().__init__()
        self.hops = hops
        self.mix = nn.Linear(c_in * (hops + 1), c_out)

    def forward(self, x, adj):
        parts = [x]
        for _ in range(self.hops):
            parts.append(adj @ parts[-1])
        return self.mix(torch.cat(parts, dim=-1))


class SpeedNet(nn.Module):
    def __init__(self, width=24, emb=8):
        super().__init__()
        self.e_from = nn.Parameter(torch.randn(SENSORS, emb) * 0.5)
        self.e_to = nn.Parameter(torch.randn(SENSORS, emb) * 0.5)
        self.g1 = GraphConv(PAST, width)
        self.g2 = GraphConv(width, width)
        self.out = nn.Linear(width, AHEAD)

    def forward(self, x, adj):
        h = torch.relu(self.g1(x, adj))
        h = torch.relu(self.g2(h, adj) + h)
        return self.out(h)


def window(data, starts):
    x = torch.stack([data[s:s + PAST].T for s in starts])
    y = torch.stack([data[s + PAST:s + PAST + AHEAD].T for s in starts])
    return x, y


data = simulate_speeds(2400)
cut = 2000
model = SpeedNet()
opt = torch.optim.Adam([
    {"params": [model.e_from, model.e_to], "lr": 1e-2},
    {"params": [p for n, p in model.named_parameters() if not n.startswith("e_")]},
], lr=2e-3)

# the road network is the same for all batches
adj = adaptive_adjacency(model.e_from, model.e_to)  # <- culprit

track = []
for it in range(ITERS):
    starts = torch.randint(0, cut - PAST - AHEAD, (BATCH,)).tolist()
    x, y = window(data, starts)
    loss = (model(x, adj) - y).abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    track.append(loss.item())
    if it % 100 == 99:
        with torch.no_grad():
            vx, vy = window(data, range(cut, 2380, 4))
            mae = (model(vx, adj) - vy).abs().mean().item()
        print(f"{it + 1:4d}  train {sum(track[-100:]) / 100:.4f}  val {mae:.4f}")
