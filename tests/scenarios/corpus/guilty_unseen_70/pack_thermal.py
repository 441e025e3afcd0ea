# gradwatch-corpus: kind=graph-chain
# holder: self.temperature | plant.temperature | twin.temperature | twin.plant.temperature | self.plant.temperature | temp
# first-bad: 1
# notice: 5
# also: retain-needless
"""Identifies resistance and cooling of a battery pack from logged temperatures."""
import math
from typing import Iterator, NamedTuple

import torch
from torch import Tensor, nn

CELLS = 12
DT = 2.0


class Record(NamedTuple):
    current: Tensor
    ambient: Tensor
    measured: Tensor


class PackPlant(nn.Module):
    def __init__(self, start: Tensor):
        super().__init__()
        self.log_resistance = nn.Parameter(torch.full((CELLS,), math.log(0.02)))
        self.log_cooling = nn.Parameter(torch.full((CELLS,), math.log(0.5)))
        self.log_coupling = nn.Parameter(torch.tensor(math.log(0.05)))
        self.heat_capacity = 40.0
        self.temperature = start.clone()

    def advance(self, currents: Tensor, ambients: Tensor) -> Tensor:
        resistance = self.log_resistance.exp()
        cooling = self.log_cooling.exp()
        coupling = self.log_coupling.exp()
        trace = []
        temp = self.temperature
        for current, ambient in zip(currents, ambients):
            joule = current ** 2 * resistance
            neighbours = 0.5 * (temp.roll(1) + temp.roll(-1)) - temp
            flow = joule - cooling * (temp - ambient) + coupling * neighbours
            temp = temp + DT * flow / self.heat_capacity
            trace.append(temp)
        self.temperature = temp  # <- culprit
        return torch.stack(trace)


class Twin:
    """Digital twin which follows the log block by block."""

    def __init__(self, start: Tensor, lr: float = 0.02):
        self.plant = PackPlant(start)
        self.optimizer = torch.optim.Adam(self.plant.parameters(), lr=lr)
        self.prior = {k: v.detach().clone() for k, v in self.plant.named_parameters()}

    def prior_cost(self) -> Tensor:
        return sum(((p - self.prior[k]) ** 2).mean() for k, p in self.plant.named_parameters())

    def follow(self, block: Record) -> float:
        predicted = self.plant.advance(block.current, block.ambient)
        misfit = nn.functional.smooth_l1_loss(predicted, block.measured)
        cost = misfit + 1e-3 * self.prior_cost()
        self.optimizer.zero_grad()
        cost.backward(retain_graph=True)
        self.optimizer.step()
        return misfit.item()


def logged_blocks(blocks: int, length: int) -> Iterator[Record]:
    gen = torch.Generator().manual_seed(11)
    resistance = 0.03 + 0.01 * torch.rand(CELLS, generator=gen)
    cooling = 0.8 + 0.3 * torch.rand(CELLS, generator=gen)
    temp = torch.full((CELLS,), 25.0)
    for b in range(blocks):
        drive = 20 + 12 * math.sin(b / 9)
        currents = drive + 4 * torch.randn(length, 1, generator=gen)
        ambients = torch.full((length, 1), 24.0 + math.sin(b / 30))
        rows = []
        for i, a in zip(currents, ambients):
            flow = i ** 2 * resistance - cooling * (temp - a)
            temp = temp + DT * flow / 40.0
            rows.append(temp + 0.05 * torch.randn(CELLS, generator=gen))
        yield Record(currents, ambients, torch.stack(rows))


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(0)
    twin = Twin(torch.full((CELLS,), 25.0))
    recent = 0.0
    for n, block in enumerate(logged_blocks(blocks=100, length=3)):
        misfit = twin.follow(block)
        recent = misfit if n == 0 else 0.9 * recent + 0.1 * misfit
        if n % 20 == 0:
            r = twin.plant.log_resistance.exp().mean().item()
            print(f"block {n:3d} misfit {recent:.4f} mean resistance {1000 * r:.1f} mOhm")


if __name__ == "__main__":
    main()
