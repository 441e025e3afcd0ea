# gradwatch-corpus: kind=none
import random

import torch
import torch.nn.functional as F

from .layers import GraphSAGE
from .sampling import NeighborSampler, planted_graph

torch.set_num_threads(1)
torch.manual_seed(0)
random.seed(0)

edges, y = planted_graph()
x = torch.randn(len(y), 8) + 0.5 * F.one_hot(y, 8)
sampler = NeighborSampler(edges)
net = GraphSAGE(len(y), 8, 24, 3)
opt = torch.optim.Adam(net.parameters(), 5e-3)
perm = torch.randperm(len(y))
train, test = perm[:100], perm[100:]

for epoch in range(30):
    net.train()
    for b in train[torch.randperm(len(train))].split(25):
        loss = F.cross_entropy(net(x, b, sampler.neighbors(b.tolist())), y[b])
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 6 == 5:
        net.eval()
        with torch.no_grad():
            pred = net(x, test, sampler.neighbors(test.tolist())).argmax(1)
        print(f"epoch {epoch + 1} loss {loss.item():.3f} test {(pred == y[test]).float().mean().item():.3f} "
              f"mean age {net.hist.age.float().mean().item():.1f}")
