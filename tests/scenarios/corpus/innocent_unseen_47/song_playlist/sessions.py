import torch

SONGS, GENRES, HISTORY = 80, 8, 6


def catalogue(seed):
    g = torch.Generator().manual_seed(seed)
    genre = torch.arange(SONGS) % GENRES
    style = torch.randn(GENRES, 14, generator=g)
    return style[genre] + 0.5 * torch.randn(SONGS, 14, generator=g), genre


def draw(n, genre):
    mood = torch.randint(0, GENRES, (n, 1))
    per = SONGS // GENRES
    played = mood + GENRES * torch.randint(0, per, (n, HISTORY + 1))
    stray = torch.rand(n, HISTORY + 1) < 0.1
    played = torch.where(stray, torch.randint(0, SONGS, played.shape), played)
    return played[:, :-1], played[:, -1]
