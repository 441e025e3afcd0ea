import torch


def signal(theta, b):
    f = torch.sigmoid(theta[0])
    fast, slow = theta[1].exp(), theta[2].exp()
    return f * torch.exp(-b * fast) + (1 - f) * torch.exp(-b * slow)


class Fitter:
    def __init__(self, start):
        self.theta = start.clone().requires_grad_(True)
        self.log_step = torch.tensor(-2.0, requires_grad=True)

    def misfit(self, b, y):
        return (signal(self.theta, b) - y).square().sum()

    def descend(self, b, y):
        inner = self.misfit(b, y)
        slope, = torch.autograd.grad(inner, self.theta, create_graph=True)
        self.theta = self.theta - self.log_step.exp() * slope  # <- culprit
