import math

import torch

WORDS = ("yes", "no", "stop", "go")
RATE = 2000
PITCH = {"yes": (220, 330), "no": (180, 140), "stop": (400, 400), "go": (150, 260)}


def utter(word, g, seconds=0.5):
    n = int(RATE * seconds)
    t = torch.arange(n) / RATE
    lo, hi = PITCH[word]
    wobble = 1 + 0.1 * (torch.rand((), generator=g) - 0.5)
    f = (lo + (hi - lo) * t / seconds) * wobble
    wave = torch.sin(2 * math.pi * torch.cumsum(f, 0) / RATE)
    return wave * torch.hann_window(n) + 0.2 * torch.randn(n, generator=g)


def log_spec(wave, n_fft=64, hop=32):
    spec = torch.stft(wave, n_fft, hop, window=torch.hann_window(n_fft), return_complex=True)
    return (spec.abs() ** 2 + 1e-4).log()


def corpus(n=320, seed=0):
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(len(WORDS), (n,), generator=g)
    waves = torch.stack([utter(WORDS[i], g) for i in y.tolist()])
    return log_spec(waves), y
