import torch


class BudgetAuction:
    def __init__(self, campaigns, feats):
        self.n, self.f = campaigns, feats
        self.value_w = torch.rand(feats)

    def reset(self):
        self.x = torch.rand(self.n, self.f)
        return self.x

    def step(self, bid):
        value = self.x @ self.value_w / self.f * 2
        price = torch.rand(self.n)
        won = (bid.squeeze(1) > price).float()
        reward = won * (value - price)
        return self.reset(), reward
