import torch


class Accumulator:
    """Collects token-summed losses of a window, then one backward on the token mean of the whole."""

    def __init__(self, size):
        self.size = size
        self.sums, self.tokens = [], 0

    def add(self, loss_sum, tokens):
        self.sums.append(loss_sum)
        self.tokens += tokens
        return len(self.sums) == self.size

    def release(self):
        loss = torch.stack(self.sums).sum() / self.tokens
        self.sums, self.tokens = [], 0
        return loss
