import torch


class ApplicantStream:
    def __init__(self, n_num: int, n_cat: int, size: int):
        self.n_num, self.n_cat, self.size = n_num, n_cat, size
        self._w = torch.randn(n_num)
        self._c = torch.randn(n_cat)

    def __iter__(self):
        while True:
            num = torch.randn(self.size, self.n_num)
            cat = torch.randint(self.n_cat, (self.size,))
            odds = num @ self._w + self._c[cat]
            yield num, cat, torch.bernoulli(odds.sigmoid())
