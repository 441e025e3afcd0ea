import torch


class DriftingSines:
    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.amp, self.phase = 1.0, 0.0

    def _points(self, k):
        x = torch.rand(k, 1, generator=self.g) * 6 - 3
        return x, self.amp * torch.sin(x + self.phase)

    def next_task(self):
        self.phase += 0.05
        self.amp = 1.0 + 0.3 * torch.randn((), generator=self.g).item()
        return self._points(8), self._points(12)
