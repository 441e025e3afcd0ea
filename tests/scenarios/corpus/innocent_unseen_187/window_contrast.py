# gradwatch-corpus: kind=none
from collections import deque

import torch
from torch import nn
import torch.nn.functional as F


class SlidingBank:
    """The last few batches of keys serve as negatives."""

    def __init__(self, batches):
        self.queue = deque(maxlen=batches)

    def negatives(self):
        if not self.queue:
            return None
        return torch.cat(tuple(self.queue)).detach()

    def enqueue(self, keys):
        self.queue.append(keys)

    def uniformity(self):
        z = torch.cat(tuple(self.queue))
        return torch.pdist(z).pow(2).mul(-2).exp().mean().log().item()


class EcgEncoder(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.conv = nn.Conv1d(1, 12, 9, stride=2)
        self.fc = nn.Linear(12, dim)

    def forward(self, beat):
        h = F.gelu(self.conv(beat)).amax(-1)
        return F.normalize(self.fc(h), dim=-1)


def beats(n, gen):
    t = torch.linspace(-1, 1, 60)
    width = 0.05 + 0.1 * torch.rand(n, 1, generator=gen)
    height = 0.5 + torch.rand(n, 1, generator=gen)
    shift = 0.4 * torch.rand(n, 1, generator=gen)
    qrs = height * torch.exp(-(t / width).pow(2))
    tw = 0.4 * torch.exp(-((t - shift) / 0.15).pow(2))
    return (qrs + tw).unsqueeze(1)


def augment(x, gen):
    gain = 0.8 + 0.4 * torch.rand(len(x), 1, 1, generator=gen)
    return gain * x + 0.05 * torch.randn(x.shape, generator=gen)


def info_nce(q, k, negatives, temperature=0.15):
    logits = q @ k.t()
    if negatives is not None:
        logits = torch.cat([logits, q @ negatives.t()], 1)
    return F.cross_entropy(logits / temperature, torch.arange(len(q)))


def main():
    torch.manual_seed(63)
    gen = torch.Generator().manual_seed(63)
    encoder = EcgEncoder()
    optimizer = torch.optim.AdamW(encoder.parameters(), lr=3e-3, weight_decay=1e-4)
    bank = SlidingBank(batches=20)
    for step in range(440):
        x = beats(16, gen)
        q, k = encoder(augment(x, gen)), encoder(augment(x, gen))
        loss = info_nce(q, k, bank.negatives())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        bank.enqueue(k)
        if step % 110 == 109:
            print(f"step {step} loss {loss.item():.4f} uniformity {bank.uniformity():.4f}")


if __name__ == "__main__":
    main()
