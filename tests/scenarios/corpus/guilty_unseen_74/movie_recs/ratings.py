import torch


class RatingTable:
    """Ratings that come from hidden tastes, plus noise."""

    def __init__(self, users, movies, density):
        taste = torch.randn(users, 3)
        genre = torch.randn(movies, 3)
        full = 3 + 0.8 * taste @ genre.t() + 0.2 * torch.randn(users, movies)
        mask = torch.rand(users, movies) < density
        u, m = mask.nonzero(as_tuple=True)
        self.rows = [(int(a), int(b), float(full[a, b].clamp(1, 5))) for a, b in zip(u, m)]

    def split(self, part):
        order = torch.randperm(len(self.rows)).tolist()
        cut = int(part * len(order))
        train = [self.rows[i] for i in order[:cut]]
        test = [self.rows[i] for i in order[cut:]]
        return train, test


def batches(rows, size):
    for start in range(0, len(rows), size):
        part = rows[start:start + size]
        users = torch.tensor([r[0] for r in part])
        movies = torch.tensor([r[1] for r in part])
        stars = torch.tensor([r[2] for r in part])
        yield users, movies, stars
