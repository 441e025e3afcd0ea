# gradwatch-corpus: kind=none
from dataclasses import dataclass

import torch

from schedule import Flight, OneForwardOneBackward
from stages import BackStage, FrontStage, receive, send


@dataclass
class PipeConfig:
    inputs: int = 14
    width: int = 24
    classes: int = 5
    micro: int = 8
    depth: int = 4
    chunks: int = 8
    updates: int = 410
    lr: float = 4e-3


class Pipeline:
    def __init__(self, cfg):
        self.cfg = cfg
        self.front = FrontStage(cfg.inputs, cfg.width)
        self.back = BackStage(cfg.width, cfg.classes)
        self.opts = [torch.optim.Adam(m.parameters(), lr=cfg.lr) for m in (self.front, self.back)]
        self.schedule = OneForwardOneBackward(cfg.depth)
        self.curve = []

    def forward_chunk(self, uid, x, y):
        activation = self.front(x)
        boundary = send(activation)
        loss = self.back(boundary, y) / self.cfg.chunks
        loss.backward()
        self.schedule.launch(Flight(uid, boundary, activation))
        return loss.item()

    def backward_chunk(self):
        flight = self.schedule.land()
        receive(flight.activation, flight.boundary)

    def update(self, chunks):
        for opt in self.opts:
            opt.zero_grad()
        total = 0.0
        for uid, (x, y) in enumerate(chunks):
            total += self.forward_chunk(uid, x, y)
            if self.schedule.full:
                self.backward_chunk()
        while self.schedule:
            self.backward_chunk()
        for opt in self.opts:
            opt.step()
        self.curve.append(total)


def chunk_source(cfg, seed=71):
    g = torch.Generator().manual_seed(seed)
    anchors = torch.randn(cfg.classes, cfg.inputs, generator=g)
    while True:
        chunks = []
        for _ in range(cfg.chunks):
            y = torch.randint(cfg.classes, (cfg.micro,), generator=g)
            chunks.append((anchors[y] + 0.9 * torch.randn(cfg.micro, cfg.inputs, generator=g), y))
        yield chunks


if __name__ == "__main__":
    torch.manual_seed(10)
    cfg = PipeConfig()
    pipe = Pipeline(cfg)
    for n, chunks in zip(range(cfg.updates), chunk_source(cfg)):
        pipe.update(chunks)
        if n % 100 == 0:
            print(n, round(pipe.curve[-1], 4), pipe.schedule.landed)
