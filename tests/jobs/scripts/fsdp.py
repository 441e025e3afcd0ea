"""Two ranks by torch.multiprocessing, sharded by FSDP2; half way through it starts to leak."""

import sys
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard

import gradwatch_agent.auto  # noqa: F401


def main(rank: int, store: str, healthy: int, leaking: int) -> None:
    dist.init_process_group("gloo", init_method=f"file://{store}/store", rank=rank, world_size=2)
    mesh = init_device_mesh("cpu", (2,))
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2))
    for layer in (model[0], model[2], model):
        fully_shard(layer, mesh=mesh)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    losses = []
    for number in range(healthy + leaking):
        loss = model(torch.randn(3, 4)).pow(2).mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item() if number < healthy else loss)  # the leak
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        mp.spawn(main, args=(folder, *map(int, sys.argv[1:])), nprocs=2)
