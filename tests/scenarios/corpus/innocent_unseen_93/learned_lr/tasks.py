import torch


def sine_task(seed, n):
    g = torch.Generator().manual_seed(seed)
    amp, phase, t = 1.0, 0.0, 0
    while True:
        x = torch.rand(n, 1, generator=g) * 4 - 2
        yield x, amp * torch.sin(x * 1.5 + phase)
        t += 1
        phase += 0.002
