# gradwatch-corpus: kind=none
import torch

from model import PlaylistContrast
from settings import ContrastSettings
from sessions import SessionSource


def main():
    settings = ContrastSettings()
    torch.manual_seed(settings.seed)
    source = SessionSource(settings)
    contrast = PlaylistContrast(settings)
    optimizer = torch.optim.SGD(contrast.query_encoder.parameters(), lr=settings.lr, momentum=0.9)
    for step in range(settings.steps):
        first, second = source.two_views()
        loss, keys = contrast(first, second)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        contrast.follow()
        contrast.memory.enqueue(keys)
        if step % 30 == 0:
            print(f"step {step:3d} info-nce {loss.item():.4f} memory {len(contrast.memory)}")


if __name__ == "__main__":
    main()
