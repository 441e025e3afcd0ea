# gradwatch-corpus: kind=none
from dataclasses import dataclass, replace, field

import torch
from torch import nn

torch.set_num_threads(1)


@dataclass(frozen=True)
class Memory:
    hidden: torch.Tensor
    owed: tuple = ()
    age: int = 0

    def advance(self, hidden, loss):
        return replace(self, hidden=hidden, owed=self.owed + (loss,), age=self.age + 1)

    def settle(self):
        return replace(self, hidden=self.hidden.detach(), owed=(), age=0)


@dataclass
class KilnModel:
    width: int = 10
    cell: nn.Module = field(init=False)
    out: nn.Module = field(init=False)

    def __post_init__(self):
        self.cell = nn.GRUCell(2, self.width)
        self.out = nn.Linear(self.width, 1)

    def params(self):
        return [*self.cell.parameters(), *self.out.parameters()]

    def fold(self, memory, reading, target):
        hidden = self.cell(reading, memory.hidden)
        loss = (self.out(hidden) - target).square().mean()
        return memory.advance(hidden, loss)


def burner(batch):
    heat = torch.zeros(batch, 1)
    while True:
        power = torch.rand(batch, 1)
        heat = 0.9 * heat + 0.3 * power
        yield torch.cat([power, heat + 0.1 * torch.randn(batch, 1)], 1), heat


def main(span=7, updates=600):
    torch.manual_seed(0)
    kiln = KilnModel()
    opt = torch.optim.Adam(kiln.params(), lr=3e-3)
    memory = Memory(torch.zeros(4, kiln.width))
    done, last = 0, 0.0
    for reading, target in burner(4):
        memory = kiln.fold(memory, reading, target)
        if memory.age < span:
            continue
        total = torch.stack(memory.owed).mean()
        opt.zero_grad()
        total.backward()
        opt.step()
        memory = memory.settle()
        last, done = total.item(), done + 1
        if done == updates:
            break
    print(last)


if __name__ == "__main__":
    main()
