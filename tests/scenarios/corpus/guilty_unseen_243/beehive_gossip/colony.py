import torch


class Colony:
    def __init__(self, bees, traits):
        self.traits = torch.randn(bees, traits)
        closeness = self.traits[:, :3] @ self.traits[:, :3].t()
        contact = (closeness > 1.0).float()
        contact.fill_diagonal_(1.0)
        self.contact = contact / contact.sum(1, keepdim=True)
        urge = self.contact @ self.traits[:, 3] + 0.5 * self.traits[:, 4]
        self.forager = (urge > 0).float()

    def sample(self, count):
        return torch.randperm(self.traits.shape[0])[:count]
