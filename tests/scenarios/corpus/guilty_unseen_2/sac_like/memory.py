import torch


class Ring:
    def __init__(self, cap, ns, na):
        self.cols = [torch.zeros(cap, k) for k in (ns, na, 1, ns)]
        self.cap, self.n = cap, 0

    def add(self, *row):
        for c, v in zip(self.cols, row):
            c[self.n % self.cap] = v
        self.n += 1

    def sample(self, k):
        i = torch.randint(0, min(self.n, self.cap), (k,))
        return [c[i] for c in self.cols]
