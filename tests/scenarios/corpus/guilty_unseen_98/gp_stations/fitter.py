import torch

from kernels import NearSingular, neg_log_likelihood


class Fitter:
    def __init__(self, kernel, lr):
        self.kernel = kernel
        self.opt = torch.optim.Adam(kernel.parameters(), lr=lr)
        self.failures = []
        self.sum_nll, self.n = 0.0, 0

    def step(self, xy, y):
        try:
            nll = neg_log_likelihood(self.kernel, xy, y)
        except NearSingular as err:
            self.failures.append(err)  # <- culprit
            nll = neg_log_likelihood(self.kernel, xy, y, jitter=1e-2)
        self.opt.zero_grad()
        nll.backward()
        self.opt.step()
        self.sum_nll += nll.item()
        self.n += 1

    def mean_nll(self):
        out = self.sum_nll / max(self.n, 1)
        self.sum_nll, self.n = 0.0, 0
        return out

    def summary(self):
        print(len(self.failures), "batches needed jitter")
        if self.failures:
            worst = max(self.failures, key=lambda e: e.corr)
            print("worst:", worst)
