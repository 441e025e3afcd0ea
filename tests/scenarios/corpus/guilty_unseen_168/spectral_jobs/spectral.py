import torch


def magnitude(wave, size):
    window = torch.hann_window(size)
    spec = torch.stft(wave, size, hop_length=size // 4, window=window, return_complex=True)
    return (spec.real ** 2 + spec.imag ** 2 + 1e-7).sqrt()


def multi_resolution(out, wave, sizes=(64, 128)):
    total = 0.0
    for size in sizes:
        a, b = magnitude(out, size), magnitude(wave, size)
        total = total + (a - b).abs().mean() + (a.log() - b.log()).abs().mean()
    return total / len(sizes)
