import torch
import torch.nn.functional as F


class UnrolledFit:
    """Multinomial regression fitted by a fixed number of differentiable gradient steps."""

    def __init__(self, features, classes, steps, eta):
        self.shape, self.steps, self.eta = (features, classes), steps, eta
        self.iterates = []

    def __enter__(self):
        self.iterates.append(torch.zeros(self.shape, requires_grad=True))
        return self

    def __exit__(self, *exc):
        self.iterates.clear()

    def solve(self, x, y, weight):
        theta = self.iterates[-1]
        for _ in range(self.steps):
            each = F.cross_entropy(x @ theta, y, reduction="none")
            (g,) = torch.autograd.grad((weight * each).mean() + 1e-3 * theta.pow(2).sum(), theta, create_graph=True)
            theta = theta - self.eta * g
            self.iterates.append(theta)
        return theta

    def path_length(self):
        return sum(float((b - a).norm().detach()) for a, b in zip(self.iterates, self.iterates[1:]))
