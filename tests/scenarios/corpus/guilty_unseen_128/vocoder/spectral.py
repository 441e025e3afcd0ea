import numpy as np
import torch


def frames(x, size, hop):
    return x.unfold(-1, size, hop)


def magnitude(x, size, window):
    fr = frames(x, size, size // 4)
    spec = np.fft.rfft(fr.detach().numpy() * window)  # <- culprit
    return torch.from_numpy(np.abs(spec).astype(np.float32)).clamp_min(1e-5)


class MultiResolutionSTFT:
    """Spectral convergence plus log-magnitude distance, averaged over several window sizes."""

    def __init__(self, sizes):
        self.windows = {s: np.hanning(s).astype(np.float32) for s in sizes}

    def __call__(self, fake, real):
        total = torch.zeros(())
        for size, win in self.windows.items():
            a, b = magnitude(fake, size, win), magnitude(real, size, win)
            sc = torch.linalg.norm(a - b) / torch.linalg.norm(b)
            total = total + sc + (a.log() - b.log()).abs().mean()
        return total / len(self.windows)
