import torch


class ImplicitLog:
    def __init__(self, n_users: int, n_items: int, seed: int) -> None:
        self.n_users, self.n_items = n_users, n_items
        self.gen = torch.Generator().manual_seed(seed)

    def draw(self, n: int):
        users = torch.randint(self.n_users, (n,), generator=self.gen)
        jitter = torch.randint(self.n_items // 4, (n,), generator=self.gen)
        pos = (users * 31 + jitter) % self.n_items
        neg = torch.randint(self.n_items, (n,), generator=self.gen)
        return users, pos, neg
