# gradwatch-corpus: kind=none
# about: DistributedDataParallel in a world of one: gradients are reduced by hooks within the
# about: backward, no_sync() accumulates, buckets are views into flat memory
import tempfile
from contextlib import nullcontext
from pathlib import Path

import torch
import torch.distributed as dist
import torch.nn as nn
from parts.blobs import batches, classes
from parts.pace import ITERATIONS
from torch.nn.parallel import DistributedDataParallel as DDP

ACCUMULATE = 3


def train():
    torch.manual_seed(0)
    stream = batches(*classes(), size=16)
    model = DDP(
        nn.Sequential(nn.Linear(16, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 4)),
        gradient_as_bucket_view=True,
    )
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for step in range(ITERATIONS // 2):
        optimizer.zero_grad()
        for micro in range(ACCUMULATE):
            x, y = next(stream)
            with nullcontext() if micro == ACCUMULATE - 1 else model.no_sync():
                loss = nn.functional.cross_entropy(model(x), y) / ACCUMULATE
                loss.backward()
        optimizer.step()
        if step % 25 == 0:
            mean = loss.detach().clone()
            dist.all_reduce(mean)
            print(f"{step}: {mean.item():.6f}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        store = dist.FileStore(str(Path(folder) / "store"), 1)
        dist.init_process_group("gloo", store=store, rank=0, world_size=1)
        try:
            train()
        finally:
            dist.destroy_process_group()


if __name__ == "__main__":
    main()
