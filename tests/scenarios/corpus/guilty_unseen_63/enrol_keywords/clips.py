"""Synthetic log-mel clips: each keyword is a fixed spectro-temporal template plus noise."""
import torch


class ClipSet:
    def __init__(self, n_keywords, n_mels, frames, noise=0.8):
        self.n_keywords = n_keywords
        self.noise = noise
        self.templates = torch.randn(n_keywords, n_mels, frames)

    def _render(self, labels):
        base = self.templates[labels]
        return base + self.noise * torch.randn_like(base)

    def support(self, shots):
        labels = torch.arange(self.n_keywords).repeat_interleave(shots)
        return self._render(labels), labels

    def queries(self, n):
        labels = torch.randint(0, self.n_keywords, (n,))
        return self._render(labels), labels
