# gradwatch-corpus: kind=none
from dataclasses import dataclass, field

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(163)


@dataclass
class Shovel:
    """Gathers the losses of several small loads, and hands the optimizer one walk over them all."""
    opt: torch.optim.Optimizer
    loads: int
    pending: list = field(default_factory=list)
    total: float = 0.0
    walks: int = 0

    def put(self, loss, tonnes):
        self.pending.append((loss, tonnes))
        self.total += loss * tonnes
        if len(self.pending) >= self.loads:
            self.empty()

    def empty(self):
        if not self.pending:
            return
        mass = sum(t for _, t in self.pending)
        self.opt.zero_grad()
        (self.total / mass).backward()
        self.opt.step()
        self.pending = []
        self.total = 0.0
        self.walks += 1


class Ore(nn.Module):
    def __init__(self):
        super().__init__()
        self.shared = nn.Linear(10, 18)
        self.seams = nn.ModuleList([nn.Linear(18, 1) for _ in range(3)])

    def forward(self, assay, seam):
        return self.seams[seam](torch.nn.functional.silu(self.shared(assay))).squeeze(1)


class Conveyor:
    def __init__(self):
        self.grade = torch.randn(3, 10) * 0.4

    def __iter__(self):
        k = 0
        while True:
            n = int(torch.randint(4, 12, ()))
            x = torch.randn(n, 10)
            yield k % 3, x, x @ self.grade[k % 3], float(n)
            k += 1


net = Ore()
shovel = Shovel(torch.optim.Adam(net.parameters(), lr=4e-3), loads=6)
for seam, assay, grade, tonnes in Conveyor():
    shovel.put((net(assay, seam) - grade).square().mean(), tonnes)
    if shovel.walks == 500:
        break
shovel.empty()
print(shovel.walks)
