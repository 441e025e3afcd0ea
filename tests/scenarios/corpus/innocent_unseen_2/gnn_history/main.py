# gradwatch-corpus: kind=none
"""Mini-batch GNN with historical embeddings for the neighbours outside the batch."""
import os, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import torch
from torch import nn
from gas import HistoryGNN
from graph import ring_of_cliques

torch.manual_seed(35)
adj, y = ring_of_cliques(8, 12)
x = torch.randn(len(y), 10) + 0.8 * torch.eye(8, 10)[y]
net = HistoryGNN(len(y), [10, 16, 16], 8)
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
step = 0
for epoch in range(24):
    for part in torch.randperm(len(y)).chunk(6):
        out = net(x, adj, part)
        loss = nn.functional.cross_entropy(out, y[part])
        opt.zero_grad()
        loss.backward()
        opt.step()
        step += 1
    if epoch % 6 == 5:
        print(step, "%.4f" % loss.item(), "staleness", net.staleness())
