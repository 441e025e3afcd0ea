# gradwatch-corpus: kind=graph-chain
# holder: self.profile | ranker.profile | self.model.profile | model.profile | profile | value
# first-bad: 1
# notice: 5
"""Next-track ranking over endless listening sessions, trained chunk by chunk."""
import argparse

import torch
from torch import nn


class Carried(nn.Module):
    """Base for modules whose state outlives a single chunk of the stream."""

    def __init__(self, slots, width):
        super().__init__()
        self.slots = slots
        self.width = width
        self.profile = torch.zeros(slots, width)

    def begin(self):
        self.profile = torch.zeros(self.slots, self.width)

    def carry_on(self, value):
        self.profile = value  # <- culprit


class SessionRanker(Carried):
    def __init__(self, tracks, slots, width, fade=0.8):
        super().__init__(slots, width)
        self.fade = fade
        self.tracks = nn.Embedding(tracks, width)
        nn.init.normal_(self.tracks.weight, std=0.1)
        self.score = nn.Sequential(nn.Linear(width, 48), nn.ReLU(), nn.Linear(48, tracks))

    def forward(self, plays):
        profile = self.profile
        seen = []
        for t in range(plays.shape[1]):
            profile = self.fade * profile + self.tracks(plays[:, t])
            seen.append(profile)
        self.carry_on(profile)  # <- culprit
        return self.score(torch.stack(seen, dim=1))


class Stream:
    """Listeners who wander around inside a genre and sometimes change it."""

    def __init__(self, tracks, slots, genres=5, change=0.05):
        self.per = tracks // genres
        self.genres = genres
        self.change = change
        self.genre = torch.randint(0, genres, (slots,))
        self.last = None

    def _play(self):
        move = torch.rand(self.genre.shape) < self.change
        self.genre = torch.where(move, torch.randint(0, self.genres, self.genre.shape), self.genre)
        return self.genre * self.per + torch.randint(0, self.per, self.genre.shape)

    def chunk(self, length):
        if self.last is None:
            self.last = self._play()
        plays = [self.last]
        for _ in range(length):
            plays.append(self._play())
        self.last = plays[-1]
        plays = torch.stack(plays, dim=1)
        return plays[:, :-1], plays[:, 1:]


class Fitter:
    def __init__(self, model, lr):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.loss_fn = nn.CrossEntropyLoss()

    def fit_chunk(self, plays, following):
        logits = self.model(plays)
        loss = self.loss_fn(logits.flatten(0, 1), following.flatten())
        self.opt.zero_grad()
        loss.backward(retain_graph=True)
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        return float(loss.detach())


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--tracks", type=int, default=40)
    ap.add_argument("--listeners", type=int, default=16)
    ap.add_argument("--chunk", type=int, default=5)
    ap.add_argument("--steps", type=int, default=90)
    ap.add_argument("--lr", type=float, default=5e-3)
    return ap.parse_args()


def main():
    args = parse()
    torch.set_num_threads(1)
    torch.manual_seed(11)
    stream = Stream(args.tracks, args.listeners)
    ranker = SessionRanker(args.tracks, args.listeners, width=24)
    fitter = Fitter(ranker, args.lr)
    ranker.begin()
    smooth = None
    for step in range(args.steps):
        value = fitter.fit_chunk(*stream.chunk(args.chunk))
        smooth = value if smooth is None else 0.9 * smooth + 0.1 * value
        if (step + 1) % 30 == 0:
            print(f"{step + 1:4d} chunks, smoothed loss {smooth:.3f}")


if __name__ == "__main__":
    main()
