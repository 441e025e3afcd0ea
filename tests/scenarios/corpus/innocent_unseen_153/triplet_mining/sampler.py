import torch


class PKSampler:
    def __init__(self, n_ids, dim, P, K):
        self.means = torch.randn(n_ids, dim)
        self.P, self.K = P, K

    def __iter__(self):
        while True:
            ids = torch.randperm(len(self.means))[: self.P].repeat_interleave(self.K)
            yield self.means[ids] + 0.8 * torch.randn(len(ids), self.means.shape[1]), ids
