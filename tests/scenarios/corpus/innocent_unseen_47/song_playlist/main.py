# gradwatch-corpus: kind=none
"""Next-song model: the song tower runs once per round, its gradient is gathered over the
chunks of sessions and sent back in one go (gradient caching)."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import torch
import torch.nn.functional as F

import sessions
from towers import SessionTower, SongTower

ROUNDS, CHUNKS = 70, 4


class CachedTable:
    """Song vectors of this round, cut off from the tower that made them."""

    def __init__(self, tower, features):
        self.vectors = tower(features)
        self.leaf = self.vectors.detach().requires_grad_()

    def push_back(self):
        self.vectors.backward(self.leaf.grad)


def train_round(songs, listeners, opt, feats, batch):
    table = CachedTable(songs, feats)
    opt.zero_grad()
    total = 0.0
    for history, nxt in zip(batch[0].chunk(CHUNKS), batch[1].chunk(CHUNKS)):
        query = listeners(table.leaf[history])
        loss = F.cross_entropy(query @ table.leaf.t() / 0.2, nxt) / CHUNKS
        loss.backward()
        total += loss.item()
    table.push_back()
    opt.step()
    return total


@torch.no_grad()
def recall(songs, listeners, feats, batch, k=5):
    vec = songs(feats)
    top = (listeners(vec[batch[0]]) @ vec.t()).topk(k, 1).indices
    return (top == batch[1].unsqueeze(1)).any(1).float().mean().item()


def main():
    torch.manual_seed(72)
    feats, genre = sessions.catalogue(seed=72)
    held_out = sessions.draw(200, genre)
    songs, listeners = SongTower(feats.shape[1]), SessionTower()
    opt = torch.optim.Adam([*songs.parameters(), *listeners.parameters()], lr=4e-3)
    for r in range(ROUNDS):
        loss = train_round(songs, listeners, opt, feats, sessions.draw(128, genre))
        if r % 14 == 0:
            print(f"round {r:3d}  loss {loss:.4f}")
    print(f"recall@5 {recall(songs, listeners, feats, held_out):.3f}")


if __name__ == "__main__":
    main()
