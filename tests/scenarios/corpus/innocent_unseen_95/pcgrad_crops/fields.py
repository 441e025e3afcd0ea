import torch


class FieldData:
    n_feat = 8

    def __init__(self):
        self.w = torch.randn(self.n_feat, 3) * 0.6
        self.val = self.batch(200)

    def batch(self, n):
        x = torch.randn(n, self.n_feat)
        z = torch.tanh(x @ self.w) + 0.1 * torch.randn(n, 3)
        y = {"yield": z[:, 0] - 0.5 * z[:, 2], "moisture": z[:, 1] * 1.5,
             "disease": (z[:, 2] + 0.5 * z[:, 1] > 0).float()}
        return x, y

    def validation(self):
        return self.val
