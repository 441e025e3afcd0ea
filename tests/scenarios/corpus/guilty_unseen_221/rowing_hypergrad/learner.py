import torch
import torch.nn as nn


class InnerNet:
    def __init__(self, sizes):
        self.params = []
        for a, b in zip(sizes[:-1], sizes[1:]):
            w = torch.randn(a, b) / a ** 0.5
            self.params.append(w.requires_grad_())
            self.params.append(torch.zeros(b).requires_grad_())

    def __call__(self, x):
        h = x
        last = len(self.params) // 2 - 1
        for k in range(last + 1):
            h = h @ self.params[2 * k] + self.params[2 * k + 1]
            if k < last:
                h = torch.tanh(h)
        return h


class StepSizes(nn.Module):
    def __init__(self, n, init=0.05):
        super().__init__()
        self.log_lr = nn.Parameter(torch.full((n,), init).log())

    def forward(self):
        return self.log_lr.exp()
