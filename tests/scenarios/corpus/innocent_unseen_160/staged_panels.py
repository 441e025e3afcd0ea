# gradwatch-corpus: kind=none
"""Solar panel output; minibatches are staged in arenas that go round in a pool."""
from contextlib import ExitStack, contextmanager

import torch
from torch import nn

torch.manual_seed(59)
torch.set_num_threads(1)

CELLS, BATCH, STEPS, MICRO = 72, 700, 160, 2


class Arena:
    def __init__(self, number):
        self.number = number
        self.x = torch.empty(BATCH, CELLS)
        self.y = torch.empty(BATCH)
        self.uses = 0

    def fill(self, x, y):
        self.x.copy_(x)
        self.y.copy_(y)
        self.uses += 1
        return self


class ArenaPool:
    """Hands out arenas; makes a new one only when all are out."""

    def __init__(self):
        self.free = []
        self.made = []

    @contextmanager
    def take(self):
        if not self.free:
            self.made.append(Arena(len(self.made)))
            self.free.append(self.made[-1])
        arena = self.free.pop()
        try:
            yield arena
        finally:
            self.free.append(arena)


class PanelNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.Linear(CELLS, 96)
        self.join = nn.Linear(96, 96)
        self.watt = nn.Linear(96, 1)

    def forward(self, x):
        h = nn.functional.silu(self.cell(x))
        h = h + nn.functional.silu(self.join(h))
        return self.watt(h).squeeze(1)


def draw():
    sun = torch.rand(BATCH, 1)
    cells = torch.clamp(sun * (1 + 0.2 * torch.randn(BATCH, CELLS)), 0)
    return cells, cells.min(1).values * 3 + cells.mean(1)


def train_step(net, opt, pool):
    """Both microbatches stay staged until the step is taken."""
    value = 0.0
    with ExitStack() as stack:
        staged = [stack.enter_context(pool.take()).fill(*draw()) for _ in range(MICRO)]
        scale = torch.stack([arena.y.std() for arena in staged]).mean()
        opt.zero_grad()
        loss = sum(((net(arena.x) - arena.y) / scale).square().mean() for arena in staged) / MICRO
        loss.backward()
        opt.step()
        value = loss.item()
    return value


def main():
    net, pool = PanelNet(), ArenaPool()
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    for step in range(STEPS):
        value = train_step(net, opt, pool)
        if step % 40 == 0:
            print(f"step {step:4d} loss {value:.4f} arenas {len(pool.made)}")
    print("uses", [arena.uses for arena in pool.made])


if __name__ == "__main__":
    main()
