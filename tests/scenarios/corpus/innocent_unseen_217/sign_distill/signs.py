import torch


class SignBatches:
    def __init__(self, classes, size):
        self.tmpl = torch.randn(classes, 3, size, size)

    def __call__(self, n):
        y = torch.randint(0, len(self.tmpl), (n,))
        return self.tmpl[y] + 1.2 * torch.randn(n, *self.tmpl.shape[1:]), y
