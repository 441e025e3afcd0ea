import torch


class LogisticTask:
    dim = 5

    def __init__(self):
        self.w_true = torch.randn(self.dim - 1)
        self.X = torch.randn(40, self.dim - 1)
        self.y = (self.X @ self.w_true > 0).float()

    def start(self):
        return 0.5 * torch.randn(self.dim, requires_grad=True)

    def loss(self, w):
        idx = torch.randint(0, 40, (16,))
        return torch.nn.functional.binary_cross_entropy_with_logits(self.X[idx] @ w[:-1] + w[-1], self.y[idx])
