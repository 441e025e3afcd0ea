import torch


class PrioritySampler:
    def __init__(self, size, batch, alpha=0.6, beta=0.4, floor=0.05):
        self.priorities = torch.ones(size)
        self.batch = batch
        self.alpha, self.beta, self.floor = alpha, beta, floor

    def distribution(self):
        scaled = (self.priorities + self.floor) ** self.alpha
        return scaled / scaled.sum()

    def draw(self):
        probs = self.distribution()
        index = torch.multinomial(probs, self.batch, replacement=False)
        weight = (len(probs) * probs[index]) ** -self.beta
        return index, weight / weight.max()  # <- culprit

    def update(self, index, losses):
        self.priorities = self.priorities.index_copy(0, index, losses)  # <- culprit
