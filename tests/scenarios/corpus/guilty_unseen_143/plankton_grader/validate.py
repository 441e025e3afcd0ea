import torch

from grading import ordinal_loss


class Validator:
    def __init__(self, net, held, target):
        self.net = net
        self.x, self.g = held
        self.target = target
        self.best = float("inf")

    def __call__(self, h):
        self.net.eval()
        torch.set_grad_enabled(False)  # <- culprit
        value = ordinal_loss(self.net(self.x), self.g).item()
        if h > 0 and value < self.best:
            self.best = value
            self.net.train()
            return f"{value:.3f} (best)"
        self.net.train()
        torch.set_grad_enabled(True)
        return f"{value:.3f}"
