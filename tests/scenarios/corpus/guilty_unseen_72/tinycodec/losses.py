import torch
import torch.nn as nn


class MultiResSpectral(nn.Module):
    def __init__(self, ffts):
        super().__init__()
        self.ffts = ffts
        for n in ffts:
            self.register_buffer(f"win{n}", torch.hann_window(n))

    def mag(self, x, n):
        s = torch.stft(x.squeeze(1), n, n // 4, window=getattr(self, f"win{n}"), return_complex=True)
        return torch.log(s.real.pow(2) + s.imag.pow(2) + 1e-4)

    def forward(self, a, b):
        return sum((self.mag(a, n) - self.mag(b, n)).abs().mean() for n in self.ffts) / len(self.ffts)
