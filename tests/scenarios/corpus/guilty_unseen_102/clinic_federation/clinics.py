import torch


class Clinic:
    """Local patients; each site has its own covariate shift and label noise."""

    def __init__(self, idx, truth, n):
        self.idx = idx
        shift = 0.5 * torch.randn(truth.numel())
        self.x = torch.randn(n, truth.numel()) + shift
        logit = self.x @ truth + 0.5 * torch.randn(n)
        self.y = (logit > logit.median()).float()

    def draw(self, size=16):
        pick = torch.randint(0, len(self.x), (size,))
        return self.x[pick], self.y[pick]
