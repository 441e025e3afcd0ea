# gradwatch-corpus: kind=graph-chain
# holder: self.profile | taste.profile | model.taste.profile
# first-bad: 90
# notice: 5
"""Next-song recommender.

For the first `cold` rounds every listening round stands for itself; after that the listener's long-term
profile is carried from one round to the next.
"""
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Config:
    listeners: int = 12
    songs: int = 60
    dim: int = 16
    per_round: int = 5
    rounds: int = 330
    cold: int = 90
    lr: float = 5e-3


class TasteProfile(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.keep = nn.Parameter(torch.full((cfg.dim,), 0.5))
        self.register_buffer("blank", torch.zeros(cfg.listeners, cfg.dim))
        self.profile = self.blank
        self.long_term = False

    def listen(self, heard):
        before = self.profile if self.long_term else self.blank  # <- culprit
        keep = torch.sigmoid(self.keep)
        self.profile = keep * before + (1 - keep) * heard.mean(1)  # <- culprit
        return self.profile


class Recommender(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.songs = nn.Embedding(cfg.songs, cfg.dim)
        self.taste = TasteProfile(cfg)
        self.bias = nn.Parameter(torch.zeros(cfg.songs))

    def forward(self, heard_ids):
        taste = self.taste.listen(self.songs(heard_ids))
        return taste @ self.songs.weight.t() + self.bias


class Jukebox:
    """Synthetic listeners: each has a home genre and strays from it now and then."""

    def __init__(self, cfg):
        self.cfg = cfg
        self.genre = torch.randint(0, 6, (cfg.listeners,))

    def round(self):
        c = self.cfg
        n = c.per_round + 1
        inside = self.genre[:, None] * 10 + torch.randint(0, 10, (c.listeners, n))
        outside = torch.randint(0, c.songs, (c.listeners, n))
        stray = torch.rand(c.listeners, n) < 0.2
        ids = torch.where(stray, outside, inside)
        return ids[:, :-1], ids[:, -1]


def main():
    torch.set_num_threads(1)
    torch.manual_seed(23)
    cfg = Config()
    model, box = Recommender(cfg), Jukebox(cfg)
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    hits = seen = 0
    for r in range(cfg.rounds):
        model.taste.long_term = r >= cfg.cold
        heard, nxt = box.round()
        scores = model(heard)
        loss = F.cross_entropy(scores, nxt)
        opt.zero_grad(set_to_none=True)
        loss.backward(retain_graph=True)
        opt.step()
        with torch.no_grad():
            hits += (scores.topk(10, 1).indices == nxt[:, None]).any(1).sum().item()
            seen += len(nxt)
        if (r + 1) % 66 == 0:
            print(f"round {r + 1}: loss {loss.item():.3f}, hit@10 {hits / seen:.3f}")
            hits = seen = 0


if __name__ == "__main__":
    main()
