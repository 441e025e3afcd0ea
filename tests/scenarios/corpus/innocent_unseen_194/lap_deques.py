# gradwatch-corpus: kind=none
from collections import defaultdict, deque
from functools import partial

import torch
from torch import nn

torch.manual_seed(47)

SECTORS = ["hairpin", "chicane", "straight", "esses", "pits"]
TYRES = ("soft", "medium")


class LapTime(nn.Module):
    def __init__(self, telemetry=9):
        super().__init__()
        self.sector = nn.Embedding(len(SECTORS), 6)
        self.tyre = nn.Embedding(len(TYRES), 3)
        self.net = nn.Sequential(nn.Linear(telemetry + 9, 40), nn.Softplus(), nn.Linear(40, 1))

    def forward(self, telemetry, sector, tyre):
        n = len(telemetry)
        side = torch.cat([self.sector.weight[sector], self.tyre.weight[tyre]]).expand(n, -1)
        return self.net(torch.cat([telemetry, side], 1)).squeeze(1)


def stint(lap):
    """Sectors in order; the tyre is changed every nine laps."""
    tyre = (lap // 9) % len(TYRES)
    for sector in range(len(SECTORS)):
        telemetry = torch.randn(20, 9)
        time = 1.0 + 0.3 * sector - 0.1 * telemetry[:, 0] + 0.05 * telemetry[:, 1] ** 2
        time = time + 0.2 * tyre + 0.01 * (lap % 9)
        yield sector, tyre, telemetry, time


def main(laps=100):
    model = LapTime()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    recent = defaultdict(lambda: defaultdict(partial(deque, maxlen=6)))

    for lap in range(laps):
        for sector, tyre, telemetry, time in stint(lap):
            predicted = model(telemetry, sector, tyre)
            loss = nn.functional.mse_loss(predicted, time)
            opt.zero_grad()
            loss.backward()
            opt.step()
            recent[TYRES[tyre]][SECTORS[sector]].append((lap, loss, predicted.mean()))
        if lap % 20 == 19:
            for tyre, sectors in recent.items():
                cells = []
                for name, entries in sectors.items():
                    mse = sum(entry[1].item() for entry in entries) / len(entries)
                    cells.append(f"{name} {mse:.3f}")
                print(f"lap {lap + 1} {tyre}: " + ", ".join(cells))


if __name__ == "__main__":
    main()
