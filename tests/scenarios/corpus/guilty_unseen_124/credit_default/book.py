import torch


class LoanBook:
    cards = (5, 9, 3)
    n_num = 6

    def __init__(self, n):
        g = torch.Generator().manual_seed(2)
        self.cats = torch.stack([torch.randint(0, c, (n,), generator=g) for c in self.cards], 1)
        self.nums = torch.randn(n, self.n_num, generator=g)
        score = self.nums[:, 0] - 0.7 * self.nums[:, 3] + 0.3 * self.cats[:, 1] - 1.2
        self.y = (score + 0.3 * torch.randn(n, generator=g) > 0).float()

    def batches(self, size):
        order = torch.randperm(len(self.y))
        for idx in order.split(size):
            yield self.cats[idx], self.nums[idx], self.y[idx]
