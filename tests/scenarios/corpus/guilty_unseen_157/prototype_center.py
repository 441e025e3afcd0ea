# gradwatch-corpus: kind=graph-chain
# holder: center | centers | running_center | self.centers | trainer.centers | head.centers
"""Self-distillation of spectra with a one-layer projector and a running centre (after DINO)."""
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(40)


def running_center(width, pace=0.1):
    """send() a batch of outputs, get the centre back."""
    center = torch.zeros(width)
    outputs = yield center
    while True:
        center = torch.lerp(center, outputs.mean(0), pace)  # <- culprit
        outputs = yield center


class Projector(nn.Module):
    def __init__(self, bands, width):
        super().__init__()
        self.linear = nn.Linear(bands, width)

    def forward(self, spectrum):
        return torch.tanh(self.linear(spectrum))


class SpectrumAugment:
    def __init__(self, noise=0.1, keep=0.8):
        self.noise, self.keep = noise, keep

    def __call__(self, x):
        mask = (torch.rand_like(x) < self.keep).float()
        gain = 1 + 0.1 * torch.randn(len(x), 1)
        return gain * mask * x + self.noise * torch.randn_like(x)


class Distiller:
    def __init__(self, bands=30, width=16, tau_s=0.2, tau_t=0.1):
        self.student = Projector(bands, width)
        self.augment = SpectrumAugment()
        self.centers = running_center(width)
        self.center = next(self.centers)
        self.tau_s, self.tau_t = tau_s, tau_t
        self.optimizer = torch.optim.SGD(self.student.parameters(), lr=0.1, momentum=0.9)

    def agreement(self, one, two):
        target = F.softmax((one - self.center) / self.tau_t, dim=1)  # <- culprit
        return -(target * F.log_softmax(two / self.tau_s, dim=1)).sum(1).mean()

    def step(self, spectra):
        a = self.student(self.augment(spectra))
        b = self.student(self.augment(spectra))
        loss = 0.5 * (self.agreement(a, b) + self.agreement(b, a))
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward(retain_graph=True)
        self.optimizer.step()
        self.center = self.centers.send(torch.cat([a, b]))  # <- culprit
        return loss.item()


def minerals(batch, bands=30, kinds=6):
    grid = torch.linspace(0, 1, bands)
    peaks = torch.rand(kinds, 2)
    while True:
        kind = torch.randint(0, kinds, (batch,))
        p = peaks[kind]
        yield sum(torch.exp(-((grid[None] - p[:, i:i + 1]) ** 2) / 0.01) for i in range(2))


def main(steps=80):
    distiller = Distiller()
    stream = minerals(24)
    recent = []
    for step in range(steps):
        recent = (recent + [distiller.step(next(stream))])[-10:]
        if step % 20 == 19:
            print(f"{step + 1:3d} steps, agreement {sum(recent) / len(recent):.4f}, "
                  f"centre norm {distiller.center.norm().item():.3f}")


if __name__ == "__main__":
    main()
