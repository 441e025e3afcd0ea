# gradwatch-corpus: kind=none
"""Track embeddings from playlists: the last few batches serve as negatives and
take part in the gradient as long as they are in the window."""
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(90)
torch.set_num_threads(1)

TRACKS, GENRES, DIM = 300, 10, 16


class TrackTable(nn.Embedding):
    def playlist(self, ids):
        return F.normalize(self(ids).mean(1), dim=-1)


class RecentKeys:
    def __init__(self, depth):
        self._keys = deque(maxlen=depth)

    def negatives(self):
        return torch.cat(tuple(self._keys)) if self._keys else None

    def add(self, keys):
        self._keys.append(keys)

    def __len__(self):
        return len(self._keys)


def sample(n, genre_of, gen, length=8):
    genre = torch.randint(0, GENRES, (n,), generator=gen)
    in_genre = (genre_of[None] == genre[:, None]).float() + 0.02
    draw = torch.multinomial(in_genre, 2 * length, generator=gen)
    return draw[:, :length], draw[:, length:]


def info_nce(q, k, neg, tau=0.2):
    logits = q @ k.T
    if neg is not None:
        logits = torch.cat((logits, q @ neg.T), 1)
    return F.cross_entropy(logits / tau, torch.arange(len(q)))


def purity(table, genre_of):
    with torch.no_grad():
        z = F.normalize(table.weight, dim=-1)
        sim = z @ z.T - 2 * torch.eye(TRACKS)
        return (genre_of[sim.argmax(1)] == genre_of).float().mean().item()


def main():
    gen = torch.Generator().manual_seed(4)
    genre_of = torch.randint(0, GENRES, (TRACKS,), generator=gen)
    table = TrackTable(TRACKS, DIM)
    opt = torch.optim.Adagrad(table.parameters(), lr=0.1)
    recent = RecentKeys(depth=3)
    losses = deque(maxlen=50)
    for it in range(360):
        a, b = sample(24, genre_of, gen)
        q, k = table.playlist(a), table.playlist(b)
        loss = info_nce(q, k, recent.negatives())
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        recent.add(k)
        losses.append(loss)
        if it % 60 == 59:
            mean = torch.stack(list(losses)).mean().item()
            print(f"{it + 1:4d} loss {mean:.3f} over {len(losses)}, window {len(recent)}, purity {purity(table, genre_of):.3f}")


if __name__ == "__main__":
    main()
