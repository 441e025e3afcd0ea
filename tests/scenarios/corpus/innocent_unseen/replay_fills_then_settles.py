# gradwatch-corpus: kind=none
"""A ring of big plain tensors: host memory climbs for 60 iterations and then stays where it is."""
import torch
from torch import nn


class Ring:
    def __init__(self, slots, per_slot):
        self.data = [None] * slots
        self.per_slot = per_slot
        self.n = 0

    def write(self, x):
        self.data[self.n % len(self.data)] = x.clone()
        self.n += 1

    def read(self, k, gen):
        filled = min(self.n, len(self.data))
        i = torch.randint(filled, (k,), generator=gen).tolist()
        j = torch.randint(self.per_slot, (k,), generator=gen).tolist()
        return torch.stack([self.data[a][b] for a, b in zip(i, j)])


gen = torch.Generator().manual_seed(0)
torch.manual_seed(0)
ring = Ring(slots=60, per_slot=128)
model = nn.Sequential(nn.Linear(1024, 64), nn.ReLU(), nn.Linear(64, 1024))
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
for step in range(300):
    ring.write(torch.randn(128, 1024, generator=gen))
    x = ring.read(32, gen)
    loss = (model(x) - x).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 60 == 0:
        print(step, loss.item())
