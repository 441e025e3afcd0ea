"""The model being tuned, in functional form."""
import torch
import torch.nn.functional as F


class InnerLearner:
    """Two-layer regressor whose weights are plain tensors, replaced by each update.

    `advance` keeps the dependence of the new weights on the hyper-parameters.
    """

    def __init__(self, n_in: int, width: int):
        self.weights = {
            "w1": (0.5 * torch.randn(n_in, width)).requires_grad_(),
            "b1": torch.zeros(width, requires_grad=True),
            "w2": (0.3 * torch.randn(width, 1)).requires_grad_(),
        }

    def loss(self, x, y):
        w = self.weights
        return F.mse_loss(torch.tanh(x @ w["w1"] + w["b1"]) @ w["w2"], y)

    def advance(self, x, y, lr, decay):
        names, values = zip(*self.weights.items())
        grads = torch.autograd.grad(self.loss(x, y), values, create_graph=True)
        self.weights = {n: v - lr * (g + decay * v) for n, v, g in zip(names, values, grads)}  # <- culprit
