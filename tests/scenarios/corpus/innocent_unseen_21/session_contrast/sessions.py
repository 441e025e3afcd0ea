import torch


class SessionFeed:
    """Two noisy views of the same session; sessions stay within a genre."""

    def __init__(self, n_items, length, batch, seed, genres=20):
        self.gen = torch.Generator().manual_seed(seed)
        self.n_items = n_items
        self.length = length
        self.batch = batch
        self.per_genre = n_items // genres
        self.genres = genres

    def _view(self, session):
        noise = torch.randint(self.n_items, session.shape, generator=self.gen)
        flip = torch.rand(session.shape, generator=self.gen) < 0.2
        return torch.where(flip, noise, session)

    def __iter__(self):
        while True:
            genre = torch.randint(self.genres, (self.batch, 1), generator=self.gen)
            offset = torch.randint(self.per_genre, (self.batch, self.length), generator=self.gen)
            session = genre * self.per_genre + offset
            yield self._view(session), self._view(session)
