import torch


class UserSim:
    def __init__(self, items, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.item_topics = torch.randn(items, 4, generator=self.gen)
        self.new_user()

    def new_user(self):
        self.taste = torch.randn(4, generator=self.gen)

    def context(self):
        return self.taste + 0.1 * torch.randn(4, generator=self.gen)

    def respond(self, item):
        p = torch.sigmoid(self.item_topics[item] @ self.taste)
        return float(torch.rand((), generator=self.gen) < p)
