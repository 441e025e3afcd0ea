# gradwatch-corpus: kind=graph-held
# holder: coord.archive._table | self.archive._table | self._table | self.archive | report.curve
# first-bad: 1
# notice: 60
import torch

from .coordinator import Coordinator


def regional_data(n, seed):
    gen = torch.Generator().manual_seed(seed)
    shared = torch.randn(6, generator=gen)
    out = []
    for _ in range(n):
        local = shared + 0.3 * torch.randn(6, generator=gen)
        x = torch.randn(60, 6, generator=gen)
        out.append((x, torch.sin(x @ local)))
    return out


def main():
    torch.manual_seed(101)
    coord = Coordinator(regional_data(10, seed=5), fraction=0.4, seed=5)
    for r in range(24):
        coord.play(r)
        if r % 4 == 3:
            print(f"round {r + 1} loss {coord.loss(r):.4f} reports {len(coord.archive)}")


main()
