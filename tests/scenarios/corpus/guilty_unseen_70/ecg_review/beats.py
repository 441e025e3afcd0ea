import torch

CLASSES = 4


class BeatSet:
    """Synthetic heart beats; every patient has an own baseline and noise."""

    def __init__(self, patients, length=64, seed=2):
        self.gen = torch.Generator().manual_seed(seed)
        self.patients = patients
        self.time = torch.linspace(-1, 1, length)
        self.offset = 0.3 * torch.randn(patients, generator=self.gen)
        self.noise = 0.05 + 0.3 * torch.rand(patients, generator=self.gen)

    def batch(self, size):
        who = torch.randint(0, self.patients, (size,), generator=self.gen)
        label = torch.randint(0, CLASSES, (size,), generator=self.gen)
        centre = -0.3 + 0.2 * label.float()
        width = 0.05 + 0.03 * label.float()
        wave = torch.exp(-((self.time - centre[:, None]) / width[:, None]) ** 2)
        jitter = torch.randn(wave.shape, generator=self.gen) * self.noise[who][:, None]
        return wave + jitter + self.offset[who][:, None], label, who
