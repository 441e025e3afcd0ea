# gradwatch-corpus: kind=graph-held
# holder: self.curves | recorder.curves | self.curves[name] | recorder.curves["loss"] | recorder.curves["margin"]
# first-bad: 1
import torch

from recsys.engine import Engine
from recsys.events import EventBus
from recsys.model import TwoTower
from recsys.plugins import CurveRecorder, ProgressPrinter

USERS, ITEMS = 300, 500


def sample_triples(n, batch):
    taste = torch.randint(0, 10, (USERS,))
    genre = torch.arange(ITEMS) % 10
    for _ in range(n):
        u = torch.randint(0, USERS, (batch,))
        pos = taste[u] + 10 * torch.randint(0, ITEMS // 10, (batch,))
        neg = torch.randint(0, ITEMS, (batch,))
        keep = genre[neg] != taste[u]
        yield u[keep], pos[keep], neg[keep]


def main():
    torch.manual_seed(5)
    bus = EventBus()
    recorder = CurveRecorder()
    for plugin in (ProgressPrinter(every=30), recorder):
        plugin.attach(bus)
    engine = Engine(TwoTower(USERS, ITEMS, 24), bus, lr=0.05, reg=1e-3)
    engine.fit(sample_triples(150, 128))
    print({k: round(v, 4) for k, v in recorder.summary().items()})


if __name__ == "__main__":
    main()
