import torch


def listening(batches, users, songs, seed, length=6, genres=10):
    """Each user likes two genres; liked songs come from them, skipped songs from anywhere."""
    gen = torch.Generator().manual_seed(seed)
    genre_size = songs // genres
    taste = torch.randint(0, genres, (users, 2), generator=gen)

    def from_taste(n):
        which = torch.randint(0, 2, (users, n), generator=gen)
        genre = taste.gather(1, which)
        return genre * genre_size + torch.randint(0, genre_size, (users, n), generator=gen)

    for _ in range(batches):
        heard = from_taste(length)
        liked = from_taste(1).squeeze(1)
        skipped = torch.randint(0, songs, (users,), generator=gen)
        yield heard, liked, skipped
