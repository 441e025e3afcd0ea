import math

import torch

FS = 20  # Hz, already decimated
SEC = 10


class NightDataset:
    STAGES = ["W", "N1", "N2", "N3", "REM"]
    # dominant rhythm of each stage (Hz) and amplitude
    RHYTHM = [(9.0, 1.0), (6.0, 0.8), (4.0, 1.2), (1.5, 2.2), (6.5, 0.6)]
    TRANS = torch.tensor([
        [0.80, 0.15, 0.03, 0.00, 0.02],
        [0.08, 0.60, 0.28, 0.00, 0.04],
        [0.02, 0.04, 0.76, 0.12, 0.06],
        [0.01, 0.01, 0.13, 0.85, 0.00],
        [0.05, 0.06, 0.04, 0.00, 0.85],
    ])

    def __init__(self, n_nights, epochs_per_night):
        self.nights = [self._night(epochs_per_night) for _ in range(n_nights)]

    def _night(self, n):
        s = [0]
        for _ in range(n - 1):
            s.append(int(torch.multinomial(self.TRANS[s[-1]], 1)))
        y = torch.tensor(s)
        t = torch.arange(FS * SEC) / FS
        f = torch.tensor([self.RHYTHM[i][0] for i in s])[:, None]
        a = torch.tensor([self.RHYTHM[i][1] for i in s])[:, None]
        x = a * torch.sin(2 * math.pi * f * t + 6.28 * torch.rand(n, 1)) + 0.8 * torch.randn(n, FS * SEC)
        return x.unsqueeze(1), y

    def class_weights(self):
        y = torch.cat([n[1] for n in self.nights])
        c = torch.bincount(y, minlength=5).float() + 1
        return (c.sum() / c).sqrt() / 5

    def batch(self, length=12, n=3):
        xs, ys = [], []
        for _ in range(n):
            x, y = self.nights[int(torch.randint(len(self.nights), (1,)))]
            o = int(torch.randint(len(y) - length, (1,)))
            xs.append(x[o:o + length])
            ys.append(y[o:o + length])
        return torch.stack(xs), torch.stack(ys)
