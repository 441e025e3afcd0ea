import torch
import torch.nn.functional as F


class ClickTask:
    """Logistic click model of one advertiser."""

    def __init__(self, seed, n_feat=8):
        self.g = torch.Generator().manual_seed(seed)
        self.w = torch.randn(n_feat, generator=self.g)
        self.n_feat = n_feat

    def init(self):
        return {"w": torch.zeros(self.n_feat, requires_grad=True), "b": torch.zeros(1, requires_grad=True)}

    def loss(self, theta, n=32):
        x = torch.randn(n, self.n_feat, generator=self.g)
        click = torch.bernoulli(torch.sigmoid(x @ self.w - 0.5), generator=self.g)
        return F.binary_cross_entropy_with_logits(x @ theta["w"] + theta["b"], click)
