# gradwatch-corpus: kind=inplace-modified
# first-bad: 16
"""Wake-word detector for the speaker with a near and a far microphone; running feature normalisation."""
import torch
import torch.nn.functional as F
from torch import nn

BANDS = 20
FRAMES = 30


class RunningNorm(nn.Module):
    """Per-band normalisation with exponential statistics, frozen for the first `hold` steps."""

    def __init__(self, bands, hold, momentum=0.05):
        super().__init__()
        self.hold = hold
        self.momentum = momentum
        self.steps = 0
        self.register_buffer("mean", torch.zeros(bands))
        self.register_buffer("scale", torch.ones(bands))

    def tick(self):
        self.steps += 1

    def forward(self, x):
        if self.training and self.steps >= self.hold:
            self._update(x.detach())
        return (x - self.mean) / self.scale

    def _update(self, x):
        flat = x.flatten(0, 1)
        self.mean.lerp_(flat.mean(0), self.momentum)
        self.scale.lerp_(flat.std(0) + 1e-4, self.momentum)  # <- culprit


class MicFrontend(nn.Module):
    def __init__(self, bands):
        super().__init__()
        self.mix = nn.Linear(bands, bands)

    def forward(self, x):
        return F.softplus(self.mix(x))


class WakeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.front = MicFrontend(BANDS)
        self.norm = RunningNorm(BANDS, hold=16)
        self.rnn = nn.GRU(2 * BANDS, 24, batch_first=True)
        self.head = nn.Linear(24, 1)

    def forward(self, near, far):
        near = self.norm(self.front(near))  # <- culprit
        far = self.norm(self.front(far))  # <- culprit
        _, h = self.rnn(torch.cat([near, far], dim=2))
        return self.head(h[0]).squeeze(1)


class ClipFactory:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.word = torch.rand(8, BANDS, generator=self.gen) * 2

    def batch(self, n):
        label = torch.randint(0, 2, (n,), generator=self.gen).float()
        clean = torch.rand(n, FRAMES, BANDS, generator=self.gen) * 0.5
        start = int(torch.randint(0, FRAMES - 8, (1,), generator=self.gen))
        clean[:, start : start + 8] += label.view(-1, 1, 1) * self.word
        near = clean + 0.1 * torch.randn(clean.shape, generator=self.gen)
        far = 0.4 * clean + 0.3 * torch.randn(clean.shape, generator=self.gen)
        return near, far, label


def main():
    torch.manual_seed(30)
    clips = ClipFactory(30)
    net = WakeNet()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    right = 0
    total = 0
    for step in range(90):
        near, far, label = clips.batch(24)
        logits = net(near, far)
        loss = F.binary_cross_entropy_with_logits(logits, label)
        opt.zero_grad()
        loss.backward()
        opt.step()
        net.norm.tick()
        right += int(((logits > 0).float() == label).sum())
        total += len(label)
        if step % 15 == 14:
            print(f"step {step + 1} loss {loss.item():.4f} acc {right / total:.3f}")
            right = 0
            total = 0


if __name__ == "__main__":
    main()
