# gradwatch-corpus: kind=none
"""Reconstruction of discs from their sinograms; phantoms come through a cache."""
import torch
from torch import nn

from .cache import PhantomCache
from .phantoms import GRID, render

STEPS, BATCH = 180, 40


class Reconstructor(nn.Module):
    def __init__(self):
        super().__init__()
        self.back = nn.Sequential(nn.Linear(2 * GRID, 256), nn.ReLU(), nn.Linear(256, GRID * GRID))

    def forward(self, sino):
        return self.back(sino.flatten(1)).view(-1, GRID, GRID)


def main():
    torch.manual_seed(6)
    torch.set_num_threads(1)
    cache = PhantomCache(render, capacity=10)
    net = Reconstructor()
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    for step in range(STEPS):
        current = cache.get(step, BATCH)
        earlier = cache.get(max(step - 4, 0), BATCH)
        image = torch.cat([current, earlier])
        sino = torch.stack([image.sum(1), image.sum(2)], dim=1) / GRID
        loss = nn.functional.mse_loss(net(sino), image)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 45 == 0:
            print(f"{step:4d} mse {loss.item():.4f} hits {cache.hits} misses {cache.misses}")
    print("kept", len(cache.entries))


main()
