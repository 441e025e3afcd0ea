import torch


class Interactions:
    def __init__(self, users, items, seed):
        self.gen = torch.Generator().manual_seed(seed)
        u = torch.randn(users, 6, generator=self.gen)
        v = torch.randn(items, 6, generator=self.gen)
        self.prob = (u @ v.t() / 1.5).softmax(dim=1)
        self.users = users

    def positives(self, n):
        user = torch.randint(0, self.users, (n,), generator=self.gen)
        item = torch.multinomial(self.prob[user], 1, generator=self.gen).squeeze(1)
        return user, item
