# gradwatch-corpus: kind=none
"""Losses weighted by the norms of their gradients at the last shared layer; autograd.grad keeps the graph, rightly."""
import torch
from torch import nn

torch.manual_seed(0)
shared = nn.Sequential(nn.Linear(20, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU())
heads = nn.ModuleDict({"a": nn.Linear(128, 1), "b": nn.Linear(128, 1), "c": nn.Linear(128, 4)})
opt = torch.optim.Adam([*shared.parameters(), *heads.parameters()], lr=1e-3)
w_last = shared[2].weight
smooth = {k: 1.0 for k in heads}


def losses(x):
    h = shared(x)
    return {
        "a": nn.functional.mse_loss(heads["a"](h).squeeze(1), x.sum(1)),
        "b": nn.functional.l1_loss(heads["b"](h).squeeze(1), x.amax(1) * 10),
        "c": nn.functional.cross_entropy(heads["c"](h), x[:, :4].argmax(1)),
    }


for step in range(180):
    ls = losses(torch.randn(64, 20))
    for k, l in ls.items():
        norm = torch.autograd.grad(l, w_last, retain_graph=True)[0].norm().item()
        smooth[k] = 0.9 * smooth[k] + 0.1 * norm
    mean = sum(smooth.values()) / len(smooth)
    total = sum(mean / smooth[k] * l for k, l in ls.items())
    opt.zero_grad()
    total.backward()
    opt.step()
    if step % 45 == 0:
        print(step, {k: round(v, 3) for k, v in smooth.items()}, total.item())
