# gradwatch-corpus: kind=none
# about: create_graph inner loops and a dict of adapted weights with graph, but three slots overwritten each outer step
"""MAML with a learned inner rate for sparse pharmacokinetic curves."""
import torch
from torch import nn

from meta import MetaFit
from patients import cohort

if __name__ == "__main__":
    torch.manual_seed(3)
    g = torch.Generator().manual_seed(3)
    net = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 1))
    fit = MetaFit(net)
    opt = torch.optim.Adam([*net.parameters(), fit.inner_lr], lr=3e-3)
    for e in range(220):
        opt.zero_grad()
        fit.outer(cohort(3, g)).backward()
        opt.step()
        if e % 44 == 0:
            print(f"{e:4d} query mse {fit.curve[-1].item():.4f} inner lr {fit.inner_lr.item():.4f}")
