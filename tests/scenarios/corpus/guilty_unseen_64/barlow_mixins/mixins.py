"""Behaviours that a training module may take on."""
import torch


class DiagnosticsMixin:
    """Smoothed diagnostics of the cross-correlation matrix, for the progress line."""
    smoothing = 0.98

    def init_diagnostics(self):
        self.on_diag = torch.tensor(0.0)
        self.seen = 0

    def observe(self, corr):
        diag = corr.diagonal().mean()
        self.on_diag = self.smoothing * self.on_diag + (1 - self.smoothing) * diag  # <- culprit
        self.seen += 1

    def progress(self):
        corrected = float(self.on_diag) / (1 - self.smoothing ** max(self.seen, 1))
        return f"diag {corrected:.3f}"


class ScheduleMixin:
    """Linear warm-up, then inverse square root."""
    warmup = 10

    def lr_factor(self, step):
        step += 1
        return min(step / self.warmup, (self.warmup / step) ** 0.5)
