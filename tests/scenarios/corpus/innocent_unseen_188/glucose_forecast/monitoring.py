"""Rolling view of the forecaster's last errors."""
import torch


class ErrorView:
    def __init__(self, span):
        self.span = span
        self._recent = []

    @property
    def recent(self):
        return self._recent

    @recent.setter
    def recent(self, values):
        self._recent = list(values)[-self.span:]

    def quantile(self, q):
        with torch.no_grad():
            flat = torch.cat([v.abs().flatten() for v in self.recent])
            return torch.quantile(flat, q).item()

    def drift(self):
        half = len(self.recent) // 2
        if half == 0:
            return 0.0
        with torch.no_grad():
            old = torch.cat([v.flatten() for v in self.recent[:half]]).mean()
            new = torch.cat([v.flatten() for v in self.recent[half:]]).mean()
            return (new - old).item()
