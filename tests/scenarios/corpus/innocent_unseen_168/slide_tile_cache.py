# gradwatch-corpus: kind=none
"""Tile classifier; decoding a tile is slow, so decoded tiles stay in memory."""
import zlib

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.set_num_threads(1)
torch.manual_seed(15)


class Slides(Dataset):
    def __init__(self, tiles=320, size=64, seed=0):
        rng = np.random.default_rng(seed)
        self.size = size
        self.labels = rng.integers(0, 3, tiles)
        self.packed = [self._pack(rng, label) for label in self.labels]
        self.decoded = {}

    def _pack(self, rng, label):
        coarse = rng.integers(0, 80 + 60 * label, (3, 8, 8), dtype=np.uint8)
        return zlib.compress(coarse.tobytes())

    def __len__(self):
        return len(self.packed)

    def _decode(self, index):
        coarse = np.frombuffer(zlib.decompress(self.packed[index]), dtype=np.uint8).reshape(3, 8, 8)
        step = self.size // 8
        tile = coarse.repeat(step, axis=1).repeat(step, axis=2).astype(np.float32) / 255
        return torch.from_numpy(tile - tile.mean())

    def __getitem__(self, index):
        if index not in self.decoded:
            self.decoded[index] = self._decode(index)
        return self.decoded[index], int(self.labels[index])


class TileNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 8, 8, stride=8), nn.ReLU(), nn.Conv2d(8, 16, 3), nn.ReLU())
        self.head = nn.Linear(16, 3)

    def forward(self, x):
        return self.head(self.body(x).amax((2, 3)))


def run(epochs=7):
    data = Slides()
    loader = DataLoader(data, batch_size=16, shuffle=True)
    net = TileNet()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    for epoch in range(epochs):
        right, loss_sum = 0, 0.0
        for x, y in loader:
            out = net(x)
            loss = nn.functional.cross_entropy(out, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            right += (out.argmax(1) == y).sum().item()
            loss_sum += loss.item() * len(y)
        print(f"epoch {epoch} loss {loss_sum / len(data):.3f} accuracy {right / len(data):.3f} "
              f"decoded {len(data.decoded)}")


if __name__ == "__main__":
    run()
