# gradwatch-corpus: kind=none
import torch

from .server import Server


def make_shards(n, seed):
    gen = torch.Generator().manual_seed(seed)
    centers = 1.2 * torch.randn(4, 10, generator=gen)
    shards = []
    for _ in range(n):
        mix = torch.rand(4, generator=gen) + 0.1
        y = torch.multinomial(mix, 64, replacement=True, generator=gen)
        x = centers[y] + torch.randn(64, 10, generator=gen)
        shards.append((x, y))
    return shards


def main():
    torch.manual_seed(59)
    server = Server(make_shards(12, seed=7), per_round=4, seed=1)
    for r in range(20):
        server.round(r)
        if r % 5 == 4:
            entry = server.log[-1]
            print(f"round {r + 1} loss {entry['loss']:.3f} conf {server.confidence():.3f} clients {entry['clients']}")


main()
