"""Sine waves with random amplitude and phase."""

import math

import torch


def sinusoid_tasks(count, shots=10):
    for _ in range(count):
        amplitude = 0.1 + 4.9 * torch.rand(1)
        phase = math.pi * torch.rand(1)

        def sample(amplitude=amplitude, phase=phase):
            x = 10 * torch.rand(shots, 1) - 5
            return x, amplitude * torch.sin(x + phase)

        yield sample(), sample()
