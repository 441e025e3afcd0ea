# gradwatch-corpus: kind=none
import torch
from torch import nn

from cache import BatchCache
from store import shops

torch.set_num_threads(1)
torch.manual_seed(22)

BATCHES = 10


def r2(entries):
    pred = torch.cat([p for p, _ in entries]).detach()
    y = torch.cat([t for _, t in entries])
    return 1 - (pred - y).pow(2).sum() / (y - y.mean()).pow(2).sum()


net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))
opt = torch.optim.Adam(net.parameters(), lr=4e-3)
cache = BatchCache()
for epoch in range(60):
    for b in range(BATCHES):
        x, y = shops(16)
        pred = net(x).squeeze(1)
        cache.put(("train", b), (pred, y))
        loss = nn.functional.l1_loss(pred, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    score = r2(cache.drain("train"))
    if epoch % 12 == 0:
        print(epoch, f"r2 {score.item():.3f}")
