# gradwatch-corpus: kind=none
"""Face-verification style embedding: batch-hard triplets plus a centre loss with its own optimizer."""
import torch

from losses import CenterLoss, batch_hard
from sampler import PKSampler

torch.set_num_threads(1)
torch.manual_seed(55)

data = PKSampler(n_ids=12, dim=20, P=6, K=4)
net = torch.nn.Sequential(torch.nn.Linear(20, 48), torch.nn.PReLU(), torch.nn.Linear(48, 12))
center = CenterLoss(12, 12)
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
opt_center = torch.optim.SGD(center.parameters(), lr=0.3)
beta = 5e-3
stats = {"triplet": [], "center": [], "active": []}
embeddings = None

for it, (x, ids) in zip(range(110), data):
    embeddings = net(x)
    triplet, active = batch_hard(embeddings, ids, margin=0.3)
    c = center(embeddings, ids)
    loss = triplet + beta * c
    opt.zero_grad()
    opt_center.zero_grad()
    loss.backward()
    opt.step()
    for p in center.parameters():
        p.grad.mul_(1.0 / beta)
    opt_center.step()
    stats["triplet"].append(triplet.item())
    stats["center"].append(c.item())
    stats["active"].append(active)
    if it % 30 == 0:
        print(it, {k: round(v[-1], 3) for k, v in stats.items()})

with torch.no_grad():
    x, ids = next(iter(data))
    d = torch.cdist(net(x), net(x)) + torch.eye(len(x)) * 1e3
    print("rank-1 %.3f" % (ids[d.argmin(1)] == ids).float().mean().item())
