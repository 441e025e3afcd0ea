# gradwatch-corpus: kind=none
"""Land cover from satellite tiles; neighbour context comes from a feature cache."""
import logging
from collections import OrderedDict

import torch
import torch.nn.functional as F
from torch import nn


class MessageBuffer(logging.Handler):
    def __init__(self):
        super().__init__()
        self.lines = []

    def emit(self, record):
        self.lines.append(record.getMessage())


class CacheMixin:
    capacity = 48

    def remember(self, key, value):
        cache = self.__dict__.setdefault("_cache", OrderedDict())
        cache[key] = value.detach()
        cache.move_to_end(key)
        if len(cache) > self.capacity:
            cache.popitem(last=False)

    def recall(self, key, default):
        return self.__dict__.get("_cache", {}).get(key, default)


class TileNet(CacheMixin, nn.Module):
    def __init__(self, bands=6, dim=24, classes=5):
        super().__init__()
        self.embed = nn.Sequential(nn.Linear(bands, dim), nn.ReLU())
        self.mix = nn.Linear(2 * dim, dim)
        self.head = nn.Linear(dim, classes)

    def forward(self, tile, pixels):
        own = self.embed(pixels)
        context = self.recall(tile - 1, own.mean(0)).expand_as(own)
        h = torch.tanh(self.mix(torch.cat([own, context], 1)))
        self.remember(tile, h.mean(0))
        return self.head(h)


class TileFeed:
    def __init__(self, seed=91):
        self.gen = torch.Generator().manual_seed(seed)
        self.spectra = torch.randn(5, 6, generator=self.gen)

    def load(self, tile):
        y = torch.randint(0, 5, (64,), generator=self.gen)
        return self.spectra[y] + 0.5 * torch.randn(64, 6, generator=self.gen), y


class CoverTrainer:
    def __init__(self, logger):
        self.net = TileNet()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=3e-3)
        self.logger = logger
        self.last = None

    def step(self, tile, pixels, y):
        loss = F.cross_entropy(self.net(tile, pixels), y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.last = {"tile": tile, "loss": loss}
        self.logger.info("tile %d loss %.4f", tile, loss.item())


def main():
    torch.manual_seed(92)
    logger, buffer = logging.getLogger("cover"), MessageBuffer()
    logger.setLevel(logging.INFO)
    logger.propagate = False
    logger.addHandler(buffer)
    feed, trainer = TileFeed(), CoverTrainer(logger)
    for tile in range(440):
        trainer.step(tile, *feed.load(tile))
    print(buffer.lines[0], "|", buffer.lines[-1])


if __name__ == "__main__":
    main()
