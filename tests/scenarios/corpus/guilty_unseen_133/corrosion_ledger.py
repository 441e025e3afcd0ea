# gradwatch-corpus: kind=memory-climb
# holder: self.entries | ledger.entries | Ledger.entries | self.ledger.entries
# first-bad: 51
# notice: 60
from dataclasses import dataclass, field
from typing import List, Optional

import torch
from torch import nn

torch.set_num_threads(1)


@dataclass
class Entry:
    step: int
    maps: torch.Tensor
    loss: float


@dataclass
class Ledger:
    start: int
    keep: Optional[int] = None
    entries: List[Entry] = field(default_factory=list)

    def write(self, step, maps, loss):
        if step < self.start:
            return
        self.entries.append(Entry(step, maps.detach().clone(), loss))  # <- culprit
        if self.keep:
            del self.entries[:-self.keep]

    def energy(self):
        last = self.entries[-20:]
        return sum(e.maps.square().mean().item() for e in last) / max(len(last), 1)


class PlateNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.texture = nn.Conv2d(1, 8, 3, padding=1)
        self.spot = nn.Conv2d(8, 1, 3, padding=1)

    def forward(self, plate):
        maps = torch.relu(self.texture(plate))
        return maps, self.spot(maps)


def plates(n, size=24):
    grid = torch.arange(size).float()
    for _ in range(n):
        cx, cy = torch.rand(2, 8, 1, 1) * size
        rust = (((grid[:, None] - cx) ** 2 + (grid[None] - cy) ** 2) < 16).float()[:, None]
        yield rust + 0.4 * torch.randn(8, 1, size, size), rust


def main():
    torch.manual_seed(9)
    net, ledger = PlateNet(), Ledger(start=50)
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    for step, (plate, rust) in enumerate(plates(450)):
        maps, logit = net(plate)
        loss = nn.functional.binary_cross_entropy_with_logits(logit, rust)
        opt.zero_grad()
        loss.backward()
        opt.step()
        ledger.write(step, maps, loss.item())
    print(len(ledger.entries), ledger.energy())


if __name__ == "__main__":
    main()
