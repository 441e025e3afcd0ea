"""Two ranks by torchrun, two batches accumulated; half way through it starts to leak."""

import sys

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

import gradwatch_agent.auto  # noqa: F401

healthy, leaking = map(int, sys.argv[1:])
dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
model = DistributedDataParallel(nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1)))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
total = torch.zeros(())
for number in range(healthy + leaking):
    with model.no_sync():
        model(torch.randn(3, 4)).pow(2).mean().backward()
    loss = model(torch.randn(3, 4)).pow(2).mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    if number < healthy:
        total += loss.detach()
    else:
        total += loss  # the leak
dist.destroy_process_group()
