import random

import numpy as np
import torch


def render(freqs, phases, jitter, size=24):
    t = np.linspace(0, 2 * np.pi, 200)
    ph = phases + np.random.normal(0, jitter, 4)
    xs = 0.5 + 0.22 * np.sin(freqs[0] * t + ph[0]) + 0.2 * np.sin(freqs[1] * t + ph[1])
    ys = 0.5 + 0.22 * np.cos(freqs[2] * t + ph[2]) + 0.2 * np.sin(freqs[3] * t + ph[3])
    img = np.zeros((size, size), dtype="float32")
    img[(ys * (size - 1)).astype(int).clip(0, size - 1), (xs * (size - 1)).astype(int).clip(0, size - 1)] = 1.0
    return img


class SignatureSet:
    def __init__(self, n_writers, per_writer):
        self.n_writers = n_writers
        self.images = []
        for w in range(n_writers):
            freqs = np.random.randint(1, 5, 4)
            phases = np.random.uniform(0, 2 * np.pi, 4)
            self.images.append([render(freqs, phases, 0.12) for _ in range(per_writer)])

    def draw(self, writers):
        picks = [random.choice(self.images[w]) for w in writers]
        return torch.from_numpy(np.stack(picks)).unsqueeze(1)
