# gradwatch-corpus: kind=none
"""Cursor-path prediction on a stream of interleaved user sessions."""
import asyncio
import weakref
from enum import Enum

import torch
from torch import nn


class Phase(Enum):
    OPEN = "open"
    MOVE = "move"
    IDLE = "idle"


class Session:
    def __init__(self, uid, gen):
        self.uid = uid
        self.angle = 6.28 * torch.rand((), generator=gen)
        self.turn = 0.3 * torch.randn((), generator=gen)
        self.left = int(torch.randint(20, 60, (), generator=gen))
        self.phase = Phase.OPEN

    def moves(self, k, gen):
        steps = self.angle + self.turn * torch.arange(k + 1)
        self.angle, self.left = steps[-1], self.left - k
        path = torch.stack([steps.cos(), steps.sin()], -1)
        return path + 0.05 * torch.randn(path.shape, generator=gen)


async def interleaved(seed, lanes=4, k=6):
    gen = torch.Generator().manual_seed(seed)
    born = 0
    active = []
    while True:
        while len(active) < lanes:
            active.append(Session(born, gen))
            born += 1
        who = active[int(torch.randint(0, lanes, (), generator=gen))]
        if who.phase is not Phase.OPEN and torch.rand((), generator=gen) < 0.1:
            who.phase = Phase.IDLE
        reply = yield who, who.moves(k, gen)
        who.phase = reply or Phase.MOVE
        if who.left <= 0:
            active.remove(who)
        await asyncio.sleep(0)


async def main():
    torch.manual_seed(141)
    cell, head = nn.GRUCell(2, 12), nn.Linear(12, 2)
    opt = torch.optim.Adam([*cell.parameters(), *head.parameters()], lr=3e-3)
    memory = weakref.WeakKeyDictionary()
    stream = interleaved(142)
    who, path = await anext(stream)
    for it in range(420):
        if who.phase is Phase.MOVE:
            h = memory[who]
        elif who.phase is Phase.OPEN:
            h = torch.zeros(12)
        else:
            h = 0.5 * memory[who]
        loss = 0.0
        for here, there in zip(path, path[1:]):
            h = cell(here, h)
            loss = loss + (head(h) - there).pow(2).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        memory[who] = h.detach()
        if it % 70 == 0:
            print(f"{it:4d} session {who.uid:3d} loss {loss.item() / 6:.4f} remembered {len(memory)}")
        who, path = await stream.asend(Phase.MOVE)
    await stream.aclose()


if __name__ == "__main__":
    torch.set_num_threads(1)
    asyncio.run(main())
