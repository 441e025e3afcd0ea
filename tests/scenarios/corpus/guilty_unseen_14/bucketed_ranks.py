# gradwatch-corpus: kind=memory-climb
# holder: self.inflight | reducer.inflight | handle.flat | reducer.inflight[i].flat | self.inflight[i].flat | handle.result | reducer.inflight[i].result
# first-bad: 1
"""Data parallelism rehearsed in one process: two ranks, gradients gathered into flat buckets and
"all-reduced" as they become ready, the way the real reducer overlaps them with backward."""
from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass(slots=True)
class Bucket:
    index: int
    params: list[nn.Parameter]
    pending: int = 0

    @property
    def numel(self) -> int:
        return sum(p.numel() for p in self.params)


@dataclass(slots=True)
class Handle:
    bucket: Bucket
    flat: Tensor
    done: bool = False

    def wait(self) -> None:
        if self.done:
            return
        offset = 0
        for p in self.bucket.params:
            n = p.numel()
            p.grad.copy_(self.flat[offset:offset + n].view_as(p))
            offset += n
        self.done = True


class Reducer:
    """Hooks every parameter once; a bucket is launched when its last gradient has come in."""

    def __init__(self, params, world: int, bucket_cap: int):
        self.world = world
        self.inflight: list[Handle] = []
        self.buckets = list(self._pack(list(params), bucket_cap))
        self.enabled = True
        for bucket in self.buckets:
            for p in bucket.params:
                p.register_post_accumulate_grad_hook(partial(self._ready, bucket))

    @staticmethod
    def _pack(params, cap):
        index, group, size = 0, [], 0
        for p in reversed(params):
            if group and size + p.numel() > cap:
                yield Bucket(index, group)
                index, group, size = index + 1, [], 0
            group.append(p)
            size += p.numel()
        if group:
            yield Bucket(index, group)

    @contextmanager
    def no_sync(self):
        before, self.enabled = self.enabled, False
        try:
            yield
        finally:
            self.enabled = before

    def prepare(self) -> None:
        for bucket in self.buckets:
            bucket.pending = len(bucket.params)

    def _ready(self, bucket: Bucket, param: nn.Parameter) -> None:
        if not self.enabled:
            return
        bucket.pending -= 1
        if bucket.pending == 0:
            self._launch(bucket)

    def _launch(self, bucket: Bucket) -> None:
        flat = torch.cat([p.grad.reshape(-1) for p in bucket.params])
        flat.div_(self.world)
        self.inflight.append(Handle(bucket, flat))  # <- culprit

    def finalize(self) -> None:
        for handle in self.inflight:  # <- culprit
            handle.wait()


class Shards:
    def __init__(self, world: int, batch: int, dim: int, classes: int):
        self.gens = [torch.Generator().manual_seed(500 + r) for r in range(world)]
        self.batch = batch
        self.proto = torch.randn(classes, dim, generator=torch.Generator().manual_seed(1))

    def draw(self, rank: int):
        g = self.gens[rank]
        y = torch.randint(len(self.proto), (self.batch,), generator=g)
        return self.proto[y] + 1.5 * torch.randn(self.batch, self.proto.size(1), generator=g), y


def main(steps: int = 240, world: int = 2) -> None:
    torch.manual_seed(12)
    model = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 192), nn.ReLU(), nn.Linear(192, 20))
    reducer = Reducer(model.parameters(), world, bucket_cap=40_000)
    print("buckets:", [b.numel for b in reducer.buckets])
    shards = Shards(world, 32, 64, 20)
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for step in range(steps):
        opt.zero_grad()
        with reducer.no_sync():
            for rank in range(world - 1):
                x, y = shards.draw(rank)
                F.cross_entropy(model(x), y).backward()
        reducer.prepare()
        x, y = shards.draw(world - 1)
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        reducer.finalize()
        opt.step()
        if step % 60 == 59:
            print(f"step {step + 1:4d}  loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
