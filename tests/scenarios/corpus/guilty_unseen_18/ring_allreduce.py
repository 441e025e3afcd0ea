# gradwatch-corpus: kind=memory-climb
# holder: self.trace | fabric.trace | self.fabric.trace | packet.payload | world.fabric.trace | packet
# first-bad: 1
"""Data-parallel training on a simulated ring: four ranks, chunked ring all-reduce, byte counts at the end.
I use it to explain the algorithm in the distributed-systems tutorial."""
from dataclasses import dataclass
from typing import List, Sequence, Tuple

import torch
import torch.nn as nn
from torch.nn.utils import parameters_to_vector


@dataclass
class Packet:
    phase: str
    src: int
    dst: int
    payload: torch.Tensor

    @property
    def nbytes(self) -> int:
        return self.payload.numel() * self.payload.element_size()


class Fabric:
    """Point-to-point links between ranks."""

    def __init__(self, size: int):
        self.size = size
        self.inbox: List[List[Packet]] = [[] for _ in range(size)]
        self.trace: List[Packet] = []

    def send(self, packet: Packet) -> None:
        self.inbox[packet.dst].append(packet)
        self.trace.append(packet)  # <- culprit

    def recv(self, rank: int) -> Packet:
        return self.inbox[rank].pop(0)

    def traffic(self, phase: str) -> int:
        return sum(p.nbytes for p in self.trace if p.phase == phase)


def all_reduce_(vectors: Sequence[torch.Tensor], fabric: Fabric) -> None:
    """Averages the vectors of all ranks, in place."""
    n = fabric.size
    chunks = [list(v.tensor_split(n)) for v in vectors]
    for hop in range(n - 1):
        for rank in range(n):
            out = chunks[rank][(rank - hop) % n].clone()
            fabric.send(Packet("scatter", rank, (rank + 1) % n, out))
        for rank in range(n):
            chunks[rank][(rank - hop - 1) % n].add_(fabric.recv(rank).payload)
    for hop in range(n - 1):
        for rank in range(n):
            out = chunks[rank][(rank + 1 - hop) % n].clone()
            fabric.send(Packet("gather", rank, (rank + 1) % n, out))
        for rank in range(n):
            chunks[rank][(rank - hop) % n].copy_(fabric.recv(rank).payload)
    for v in vectors:
        v.div_(n)


class Shard:
    """One rank's share of the data; the weights are the same on all ranks and are kept once."""

    def __init__(self, rank: int):
        self.rank = rank
        self.gen = torch.Generator().manual_seed(100 + rank)

    def gradient(self, model: nn.Module, teacher: nn.Module) -> Tuple[float, torch.Tensor]:
        x = torch.randn(16, 16, generator=self.gen)
        with torch.no_grad():
            y = teacher(x).argmax(-1)
        loss = nn.functional.cross_entropy(model(x), y)
        grads = torch.autograd.grad(loss, list(model.parameters()))
        return loss.item(), parameters_to_vector(grads)


class World:
    def __init__(self, size: int = 4):
        self.model = nn.Sequential(nn.Linear(16, 96), nn.Tanh(), nn.Linear(96, 128), nn.Tanh(), nn.Linear(128, 4))
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.1, momentum=0.9)
        self.fabric = Fabric(size)
        self.shards = [Shard(r) for r in range(size)]
        self.teacher = nn.Linear(16, 4)
        for p in self.model.parameters():
            p.grad = torch.zeros_like(p)

    def step(self) -> Tuple[float, float]:
        losses, grads = zip(*(s.gradient(self.model, self.teacher) for s in self.shards))
        all_reduce_(grads, self.fabric)
        self.load(grads[0])
        self.opt.step()
        return sum(losses) / len(losses), spread(grads)

    def load(self, flat: torch.Tensor) -> None:
        at = 0
        for p in self.model.parameters():
            p.grad.copy_(flat[at:at + p.numel()].view_as(p))
            at += p.numel()


def spread(vecs: Sequence[torch.Tensor]) -> float:
    """How far the ranks disagree; zero if the reduction is right."""
    return max(float((v - vecs[0]).abs().max()) for v in vecs)


def main(steps: int = 300) -> None:
    torch.manual_seed(17)
    world = World()
    for i in range(steps):
        loss, apart = world.step()
        if i % 60 == 0:
            print(f"step {i:3d}  loss {loss:.4f}  spread {apart:.2e}")
    for phase in ("scatter", "gather"):
        print(f"{phase:8s} {world.fabric.traffic(phase) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
