import torch


class Recommender:
    def __init__(self, features, arms):
        self.taste = torch.randn(features, arms) / features ** 0.5
        self.features = features

    def visitors(self, n):
        return torch.randn(n, self.features)

    def affinity(self, context):
        return torch.sigmoid(2 * context @ self.taste)

    def click(self, context, arms):
        p = self.affinity(context).gather(1, arms.unsqueeze(1)).squeeze(1)
        return torch.bernoulli(p)

    def gap(self, context, arms):
        p = self.affinity(context)
        chosen = p.gather(1, arms.unsqueeze(1)).squeeze(1)
        return (p.max(1).values - chosen).mean().item()
