# gradwatch-corpus: kind=none
"""Next-chord prediction. The context of a song is a fading sum of chord embeddings and
is carried, with gradients, from the song's first bar to its last."""
import random

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(64)
random.seed(64)

CHORDS = 24


def compose(bars):
    """Random walk on the circle of fifths with a home key that it returns to."""
    home = random.randrange(12)
    pos, song = home, []
    for bar in range(bars):
        if bar % 8 == 7:
            pos = home
        else:
            pos = (pos + random.choice([5, 7, 7, 9])) % 12
        song.append(pos + (12 if random.random() < 0.3 else 0))
    return song


class ChordModel(nn.Module):
    def __init__(self, dim=20):
        super().__init__()
        self.embed = nn.Embedding(CHORDS, dim)
        self.decay = nn.Parameter(torch.linspace(0.5, 3.0, dim))
        self.body = nn.Sequential(nn.Linear(2 * dim, 40), nn.ReLU(), nn.Linear(40, CHORDS))
        self.context = None

    def new_song(self):
        self.context = torch.zeros(self.embed.embedding_dim)

    def hear(self, chord):
        e = self.embed(torch.tensor(chord))
        keep = torch.sigmoid(self.decay)
        self.context = keep * self.context + (1 - keep) * e
        return self.body(torch.cat([self.context, e]))


def main():
    model = ChordModel()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    bars_seen = 0
    for song_no in range(12):
        song = compose(random.randint(20, 55))
        model.new_song()
        total, hits = 0.0, 0
        for now, nxt in zip(song, song[1:]):
            logits = model.hear(now)
            loss = F.cross_entropy(logits[None], torch.tensor([nxt]))
            opt.zero_grad()
            loss.backward(retain_graph=True)
            opt.step()
            total += loss.item()
            hits += int(logits.argmax() == nxt)
            bars_seen += 1
        n = len(song) - 1
        print(f"song {song_no:2d} ({n:2d} bars)  loss {total / n:.3f}  hit {hits / n:.2f}")
    print("bars", bars_seen)


if __name__ == "__main__":
    main()
