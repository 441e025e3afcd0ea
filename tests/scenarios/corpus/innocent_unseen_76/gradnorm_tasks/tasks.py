import torch


class ToyTasks:
    """Regression onto tanh((B + E_i) x) with a different scale for each task."""

    def __init__(self, d=16, out=10, scales=(1.0, 3.0, 6.0)):
        self.d, self.scales = d, scales
        base = torch.randn(out, d) * 0.3
        self.mats = [base + 0.1 * torch.randn(out, d) for _ in scales]

    def batch(self, n):
        x = torch.randn(n, self.d)
        return x, [s * torch.tanh(x @ m.t()) for s, m in zip(self.scales, self.mats)]
