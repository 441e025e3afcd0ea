# gradwatch-corpus: kind=none
"""A hypernetwork makes the weights of a small regressor for each task."""
import os, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import torch
from hyper import HyperNet, Target

torch.manual_seed(25)
target = Target([2, 12, 1])
hyper = HyperNet(n_tasks=6, emb=8, n_out=target.numel)
opt = torch.optim.Adam(hyper.parameters(), lr=3e-3)
freq = torch.rand(6, 2) * 3
weights_of = {}
for it in range(150):
    loss = 0
    for t in torch.randperm(6)[:3].tolist():
        w = hyper(t)
        weights_of[t] = w
        x = torch.rand(24, 2) * 2 - 1
        loss = loss + (target(x, w) - torch.sin(x @ freq[t])).pow(2).mean()
    others = [v.detach() for k, v in weights_of.items()]
    div = -torch.stack(others).std(0).mean() if len(others) > 1 else torch.zeros(())
    loss = loss / 3
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 30 == 0:
        print(it, "%.4f" % loss.item(), "spread %.4f" % -div.item())
