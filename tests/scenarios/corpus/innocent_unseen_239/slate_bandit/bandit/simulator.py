import torch


class UserSimulator:
    def __init__(self, fin, items):
        self.fin = fin
        self.affinity = torch.randn(fin, items)

    def arrive(self, n):
        return torch.randn(n, self.fin)

    def respond(self, users, items):
        score = (users @ self.affinity).gather(1, items.unsqueeze(1)).squeeze(1)
        return torch.bernoulli(torch.sigmoid(score))
