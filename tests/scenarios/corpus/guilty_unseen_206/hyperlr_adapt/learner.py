import torch
import torch.nn.functional as F


class FastLearner:
    """A small calibration net whose step sizes are themselves trained on query batches."""

    def __init__(self, channels, hidden):
        self.log_lr = torch.full((4,), -4.0, requires_grad=True)
        self.fast = [
            (torch.randn(hidden, channels) / channels ** 0.5).requires_grad_(),
            torch.zeros(hidden, requires_grad=True),
            (torch.randn(1, hidden) / hidden ** 0.5).requires_grad_(),
            torch.zeros(1, requires_grad=True),
        ]

    def predict(self, x):
        w1, b1, w2, b2 = self.fast
        return F.linear(torch.tanh(F.linear(x, w1, b1)), w2, b2).squeeze(-1)

    def loss(self, x, y):
        return F.mse_loss(self.predict(x), y)

    def adapt(self, x, y):
        grads = torch.autograd.grad(self.loss(x, y), self.fast)
        steps = self.log_lr.exp()
        self.fast = [w - s * g for w, s, g in zip(self.fast, steps, grads)]  # <- culprit

    def rates(self):
        return self.log_lr.detach().exp().tolist()
