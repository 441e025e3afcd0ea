# gradwatch-corpus: kind=second-backward
# holder: store[slot] | store | self._memo | encoder._memo | table | self.item_table() | self._memo["item_table"] | hit[1] | hit | encoder._memo['item_table']
# first-bad: 25
# notice: 0
"""Next-item recommendation from click sessions."""
import torch

from framework import Clock, Engine
from model import SessionEncoder
from plugins import PLUGINS


def sessions(items: int, batches: int, batch: int, length: int):
    g = torch.Generator().manual_seed(17)
    for _ in range(batches):
        start = torch.randint(items, (batch, 1), generator=g)
        stride = torch.randint(1, 4, (batch, 1), generator=g)
        clicks = (start + stride * torch.arange(length + 1)) % items
        yield clicks[:, :-1], clicks[:, -1]


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(17)
    clock = Clock()
    encoder = SessionEncoder(items=50, width=16, clock=clock)
    engine = Engine(encoder, torch.optim.Adam(encoder.parameters(), lr=5e-3), clock)
    for name in ("freeze_items", "report"):
        engine.use(PLUGINS[name]())
    engine.fit(lambda: sessions(items=50, batches=24, batch=16, length=6), epochs=4)


if __name__ == "__main__":
    main()
