import torch


class SessionStream:
    """Endless stream of plays. Tracks have latent genres; the crowd drifts between genres."""

    def __init__(self, n_tracks=400, n_genres=8, seed=0):
        self.g = torch.Generator().manual_seed(seed)
        self.n_tracks = n_tracks
        self.genre = torch.randint(n_genres, (n_tracks,), generator=self.g)
        self.n_genres = n_genres
        self.mood = 0

    def _pick(self, genre, k):
        pool = (self.genre == genre).nonzero().flatten()
        return pool[torch.randint(len(pool), (k,), generator=self.g)]

    def next_chunk(self, users=24, plays=5):
        if torch.rand((), generator=self.g) < 0.1:
            self.mood = int(torch.randint(self.n_genres, (), generator=self.g))
        played = torch.stack([self._pick(self.mood, plays) for _ in range(users)])
        liked = self._pick(self.mood, users)
        other = torch.randint(self.n_tracks, (users, 10), generator=self.g)
        return played, liked, other
