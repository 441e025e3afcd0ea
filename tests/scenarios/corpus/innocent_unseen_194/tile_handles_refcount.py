# gradwatch-corpus: kind=none
import random
from collections import Counter

import torch
from torch import nn

torch.manual_seed(31)
random.seed(31)


class TileStore:
    """Decoded tiles shared by viewers; a tile goes when nobody holds it."""

    def __init__(self):
        self.tiles = {}
        self.holders = Counter()

    def put(self, key, tile, holders):
        self.tiles[key] = tile
        self.holders[key] += holders

    def release(self, key):
        self.holders[key] -= 1
        if self.holders[key] <= 0:
            del self.holders[key]
            del self.tiles[key]

    def get(self, key):
        return self.tiles[key]


class Viewer:
    def __init__(self, store, patience):
        self.store = store
        self.patience = patience
        self.keys = []

    def open(self, key):
        self.keys.append(key)
        if len(self.keys) > self.patience:
            self.store.release(self.keys.pop(0))

    def brightness(self):
        return sum(self.store.get(k).mean().item() for k in self.keys) / len(self.keys)


class TileDecoder(nn.Module):
    def __init__(self, latent=10):
        super().__init__()
        self.fc = nn.Linear(latent, 8 * 4 * 4)
        self.up1 = nn.ConvTranspose2d(8, 8, 4, stride=2, padding=1)
        self.up2 = nn.ConvTranspose2d(8, 1, 4, stride=2, padding=1)

    def forward(self, z):
        x = torch.relu(self.fc(z)).view(-1, 8, 4, 4)
        return torch.sigmoid(self.up2(torch.relu(self.up1(x))))


def terrain(z):
    yy, xx = torch.meshgrid(torch.linspace(-1, 1, 16), torch.linspace(-1, 1, 16), indexing="ij")
    wave = torch.sin(3 * xx * z[:, :1, None] + 2 * yy * z[:, 1:2, None] + z[:, 2:3, None])
    return (0.5 + 0.4 * wave).unsqueeze(1)


def main():
    decoder = TileDecoder()
    opt = torch.optim.Adam(decoder.parameters(), lr=2e-3)
    store = TileStore()
    viewers = [Viewer(store, patience=p) for p in (6, 15, 30)]
    smooth = None
    for step in range(450):
        z = torch.randn(8, 10)
        tiles = decoder(z)
        loss = (tiles - terrain(z)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        smooth = loss.item() if smooth is None else 0.97 * smooth + 0.03 * loss.item()

        watching = random.sample(viewers, k=random.randint(1, 3))
        store.put(step, tiles[0], len(watching))
        for viewer in watching:
            viewer.open(step)
        if step % 75 == 74:
            light = " ".join(f"{v.brightness():.3f}" for v in viewers if v.keys)
            print(f"step {step + 1} mse {smooth:.4f} tiles {len(store.tiles)} brightness {light}")


if __name__ == "__main__":
    main()
