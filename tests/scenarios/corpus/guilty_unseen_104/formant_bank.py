# gradwatch-corpus: kind=second-backward
# holder: self.bank | model.front.bank | fn.memo | memo | memo[bins] | bank
# first-bad: 7
# notice: 0
"""Vowel classifier with a learnable triangular filterbank in front.  Utterances
come at several spectral resolutions; each resolution needs its own matrix."""
import functools

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(64)


def per_resolution(fn):
    """Compute once for every number of bins."""
    memo = {}

    @functools.wraps(fn)
    def wrapper(self, bins):
        if bins not in memo:
            memo[bins] = fn(self, bins)  # <- culprit
        return memo[bins]  # <- culprit

    wrapper.memo = memo
    return wrapper


class FilterBank(nn.Module):
    def __init__(self, n_filters=12, top=4000.0):
        super().__init__()
        edges = torch.linspace(100.0, top - 100.0, n_filters)
        self.centre = nn.Parameter(edges / top)
        self.log_width = nn.Parameter(torch.full((n_filters,), -2.5))
        self.top = top

    @per_resolution  # <- culprit
    def bank(self, bins):
        f = torch.linspace(0, 1, bins)
        d = (f[None] - self.centre[:, None]).abs() / self.log_width.exp()[:, None]
        tri = torch.relu(1 - d)
        return tri / (tri.sum(-1, keepdim=True) + 1e-4)

    def forward(self, power):
        return torch.log1p(power @ self.bank(power.shape[-1]).T)


class VowelNet(nn.Module):
    def __init__(self, vowels):
        super().__init__()
        self.front = FilterBank()
        self.norm = nn.LayerNorm(12)
        self.back = nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, vowels))

    def forward(self, power):
        return self.back(self.norm(self.front(power)))


FORMANTS = torch.tensor([[730, 1090, 2440], [270, 2290, 3010], [300, 870, 2240],
                         [530, 1840, 2480], [570, 840, 2410.0]])


def utterances(batch, bins, gen):
    y = torch.randint(0, len(FORMANTS), (batch,), generator=gen)
    peaks = FORMANTS[y] * (1 + 0.05 * torch.randn(batch, 3, generator=gen))
    f = torch.linspace(0, 4000, bins)
    env = torch.exp(-((f[None, None] - peaks[..., None]) / 150).square())
    amp = torch.tensor([1.0, 0.6, 0.3])[None, :, None]
    noise = 0.05 * torch.rand(batch, bins, generator=gen)
    return (env * amp).sum(1) * 5 + noise, y


def resolutions(gen, longest=7):
    """Whole sweep of window sizes first, then shuffled ones."""
    sizes = [64 + 16 * i for i in range(longest)]
    yield from sizes
    while True:
        yield sizes[int(torch.randint(0, longest, (), generator=gen))]


def train(steps=400):
    gen = torch.Generator().manual_seed(1)
    model = VowelNet(len(FORMANTS))
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    ce = nn.CrossEntropyLoss(label_smoothing=0.05)
    for step, bins in zip(range(steps), resolutions(gen)):
        power, y = utterances(32, bins, gen)
        logits = model(power)
        loss = ce(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 5 == 0:
            acc = (logits.argmax(-1) == y).float().mean().item()
            print(f"step {step} bins {bins} loss {loss.item():.3f} acc {acc:.2f}")


train()
