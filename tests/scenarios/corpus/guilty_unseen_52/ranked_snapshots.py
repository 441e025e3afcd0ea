# gradwatch-corpus: kind=memory-climb
# holder: self.entries | board.entries
# first-bad: 1
# notice: 100
import io
import pickle
from bisect import insort
from typing import Iterator, Tuple

import torch
from torch import nn


class Leaderboard:
    """Snapshots in order of their score; the best few can be averaged at the end."""

    __slots__ = ("entries", "keep")

    def __init__(self, keep: int = 3):
        self.entries = []
        self.keep = keep

    def offer(self, score: float, step: int, net: nn.Module) -> int:
        weights = {k: v.numpy().copy() for k, v in net.state_dict().items()}
        entry = (score, step, pickle.dumps(weights, protocol=4))
        insort(self.entries, entry)  # <- culprit
        return self.entries.index(entry)

    def best(self):
        for score, step, blob in self.entries[: self.keep]:
            yield score, step, pickle.load(io.BytesIO(blob))

    def soup(self, net: nn.Module) -> None:
        kept = [w for _, _, w in self.best()]
        mean = {k: torch.from_numpy(sum(w[k] for w in kept) / len(kept)) for k in kept[0]}
        net.load_state_dict(mean)


class Bars:
    """Noisy bar codes to be told apart."""

    def __init__(self, classes=10, dim=128, seed=21):
        self.g = torch.Generator().manual_seed(seed)
        self.protos = torch.randint(0, 2, (classes, dim), generator=self.g).float()

    def draw(self, n: int) -> Tuple[torch.Tensor, torch.Tensor]:
        y = torch.randint(0, len(self.protos), (n,), generator=self.g)
        return self.protos[y] + 0.9 * torch.randn(n, self.protos.shape[1], generator=self.g), y

    def stream(self, steps: int, n: int) -> Iterator[Tuple[int, torch.Tensor, torch.Tensor]]:
        return ((s, *self.draw(n)) for s in range(steps))


def main():
    torch.manual_seed(0)
    bars = Bars()
    held_x, held_y = bars.draw(64)
    net = nn.Sequential(nn.Linear(128, 512), nn.ReLU(), nn.Linear(512, 10))
    opt = torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.9)
    board = Leaderboard(keep=3)
    for step, x, y in bars.stream(steps=200, n=16):
        loss = nn.functional.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        with torch.no_grad():
            score = nn.functional.cross_entropy(net(held_x), held_y).item()
        rank = board.offer(score, step, net)  # <- culprit
        if step % 40 == 0:
            print(f"step {step:3d}  train {loss.item():.3f}  held-out {score:.3f}  rank {rank}")
    board.soup(net)
    with torch.no_grad():
        final = nn.functional.cross_entropy(net(held_x), held_y).item()
    print("best:", [(s, round(v, 3)) for v, s, _ in board.best()], f"soup {final:.3f}")


if __name__ == "__main__":
    main()
