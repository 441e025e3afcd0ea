import torch


class ReaderPool:
    def __init__(self, n_features, n_articles):
        self.taste = torch.randn(n_features, n_articles)
        self.n = n_features

    def arrive(self, k):
        return torch.randn(k, self.n)

    def react(self, ctx, shown):
        score = (ctx @ self.taste).gather(1, shown.unsqueeze(1)).squeeze(1)
        return torch.bernoulli(torch.sigmoid(score - 0.5))
