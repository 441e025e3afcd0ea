# gradwatch-corpus: kind=none
import torch
torch.set_num_threads(1)
from sage import RecursiveSAGE
from graph import random_graph

torch.manual_seed(13)
feats, nbrs, labels = random_graph(60, 8, 3)
net = RecursiveSAGE(8, 16, 3)
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
hits = 0
for it in range(420):
    seeds = torch.randperm(60)[:6].tolist()
    with net.minibatch(feats, nbrs):
        logits = net(seeds)
        loss = torch.nn.functional.cross_entropy(logits, labels[seeds])
        opt.zero_grad()
        loss.backward()
        opt.step()
        hits += net.reused
    if it % 100 == 0:
        print(it, loss.item(), "reused", hits)
