import numpy as np
import torch


def pixel_loss(sr, hr):
    return (sr - hr).abs().mean()


def _sobel(a):
    gy, gx = np.gradient(a, axis=(-2, -1))
    return np.sqrt(gx ** 2 + gy ** 2 + 1e-8)


class EdgeLoss:
    def __init__(self, scale):
        self.scale = scale

    def _to_image(self, t):
        return t.detach().cpu().numpy() * self.scale  # <- culprit

    def __call__(self, sr, hr):
        diff = _sobel(self._to_image(sr)) - _sobel(self._to_image(hr))
        return torch.from_numpy(np.abs(diff) / self.scale).mean()  # <- culprit
