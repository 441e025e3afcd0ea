import torch
from torch import nn


class SessionEncoder(nn.Module):
    """Encodes the songs just heard, starting from where the last block of the session ended."""

    def __init__(self, width, users):
        super().__init__()
        self.gru = nn.GRU(width, width, batch_first=True)
        self.state = torch.zeros(1, users, width)

    def forward(self, songs, update):
        _, last = self.gru(songs, self.state)
        if update:
            self.state = last  # <- culprit
        return last.squeeze(0)


class PlaylistRanker(nn.Module):
    def __init__(self, songs, width, users):
        super().__init__()
        self.song = nn.Embedding(songs, width)
        self.bias = nn.Embedding(songs, 1)
        self.session = SessionEncoder(width, users)
        nn.init.normal_(self.song.weight, std=0.1)
        nn.init.zeros_(self.bias.weight)

    def score(self, session, song):
        emb = self.song(song)
        return (session * emb).sum(-1) + self.bias(song).squeeze(-1), emb

    def forward(self, heard, liked, skipped, update=False):
        session = self.session(self.song(heard), update)
        pos, emb_pos = self.score(session, liked)
        neg, emb_neg = self.score(session, skipped)
        return pos, neg, (emb_pos, emb_neg)
