import math

import torch


class DriftingSines:
    """Amplitude and phase wander slowly; each item is (support, query)."""

    def __init__(self, shots, drift):
        self.shots = shots
        self.drift = drift
        self.amp, self.phase = 1.0, 0.0

    def _sample(self):
        x = torch.rand(self.shots, 1) * 2 * math.pi - math.pi
        return x, self.amp * torch.sin(x + self.phase)

    def __iter__(self):
        return self

    def __next__(self):
        self.amp = min(2.0, max(0.3, self.amp + self.drift * torch.randn(()).item()))
        self.phase += self.drift * torch.randn(()).item()
        return self._sample(), self._sample()
