import torch


class ListeningLog:
    def __init__(self, n_users, n_items, seed):
        self.gen = torch.Generator().manual_seed(seed)
        taste = torch.randn(n_users, 4, generator=self.gen)
        topic = torch.randn(n_items, 4, generator=self.gen)
        self.minutes = (taste @ topic.T).tanh()
        self.n_users, self.n_items = n_users, n_items

    def _draw(self, n):
        u = torch.randint(self.n_users, (n,), generator=self.gen)
        i = torch.randint(self.n_items, (n,), generator=self.gen)
        return u, i, self.minutes[u, i]

    def batches(self, steps, size):
        for _ in range(steps):
            yield self._draw(size)

    def holdout(self, n=256):
        return self._draw(n)
