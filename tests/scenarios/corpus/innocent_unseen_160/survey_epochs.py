# gradwatch-corpus: kind=none
"""Land-cover survey: rows of every tile are collected for the epoch's table, then dropped."""
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

torch.manual_seed(43)
torch.set_num_threads(1)

BANDS, PIXELS, EPOCHS, TILES = 12, 3600, 18, 10
COVERS = ("water", "forest", "field", "town")


@dataclass
class TileRow:
    tile: int
    spectrum: torch.Tensor
    scores: torch.Tensor
    cover: torch.Tensor


class Survey:
    def __init__(self):
        self.rows = []
        self.table = np.zeros((EPOCHS, len(COVERS)))

    def add(self, *values):
        self.rows.append(TileRow(*values))

    def close_epoch(self, epoch):
        cover = torch.cat([row.cover for row in self.rows])
        guess = torch.cat([row.scores for row in self.rows]).argmax(1)
        for k in range(len(COVERS)):
            self.table[epoch, k] = (guess[cover == k] == k).float().mean().item()
        brightest = max(self.rows, key=lambda row: row.spectrum.mean().item())
        self.rows.clear()
        return brightest.tile


class CoverNet(nn.Sequential):
    def __init__(self):
        super().__init__(
            nn.Linear(BANDS, 64), nn.ReLU(), nn.Linear(64, 48), nn.ReLU(), nn.Linear(48, len(COVERS))
        )


def tiles(signature):
    for tile in range(TILES):
        cover = torch.randint(0, len(COVERS), (PIXELS,))
        haze = 0.3 * torch.rand(1)
        yield tile, signature[cover] + haze + 0.8 * torch.randn(PIXELS, BANDS), cover


def main():
    signature = torch.randn(len(COVERS), BANDS)
    net, survey = CoverNet(), Survey()
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    for epoch in range(EPOCHS):
        for tile, spectrum, cover in tiles(signature):
            scores = net(spectrum)
            loss = nn.functional.cross_entropy(scores, cover)
            opt.zero_grad()
            loss.backward()
            opt.step()
            survey.add(tile, spectrum, scores.detach(), cover)
        bright = survey.close_epoch(epoch)
        if epoch % 6 == 5:
            print(f"epoch {epoch + 1} loss {loss.item():.4f} brightest tile {bright}")
    print(dict(zip(COVERS, survey.table[-1].round(3).tolist())))


if __name__ == "__main__":
    main()
