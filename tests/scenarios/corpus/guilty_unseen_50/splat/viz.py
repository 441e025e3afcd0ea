import math

import torch


class Rec:
    """Collects rendered frames for the progress movie."""

    def __init__(self, every=10):
        self.every = every
        self.fr = []
        self.its = []

    def keep(self, it, img):
        if it % self.every:
            return
        self.fr.append(img.cpu())  # <- culprit
        self.its.append(it)

    def psnr(self, ref):
        with torch.no_grad():
            mse = (self.fr[-1] - ref).pow(2).mean().item()
        return -10 * math.log10(mse)

    @torch.no_grad()
    def motion(self):
        return sum((b - a).abs().mean().item() for a, b in zip(self.fr, self.fr[1:]))
