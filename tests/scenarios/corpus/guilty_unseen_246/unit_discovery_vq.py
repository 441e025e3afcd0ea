# gradwatch-corpus: kind=inplace-modified
# holder: self.codes | codebook.codes | self.codebook.codes | model.codebook.codes
# first-bad: 8
import math

import torch
from torch import nn
import torch.nn.functional as F


class SoftCodebook(nn.Module):
    """Speech units; the codes follow the encoder by a moving average."""

    def __init__(self, units, dim, decay, warmup):
        super().__init__()
        self.decay = decay
        self.warmup = warmup
        self.seen = 0
        self.register_buffer("codes", torch.randn(units, dim))

    def forward(self, frames):
        scores = frames @ self.codes.t()
        share = torch.softmax(scores / math.sqrt(frames.shape[-1]), dim=-1)
        quantized = share @ self.codes
        if self.training:
            self.adapt(frames.detach(), share.detach())  # <- culprit
        return quantized, share

    @torch.no_grad()
    def adapt(self, frames, share):
        self.seen += 1
        if self.seen <= self.warmup:
            return
        mass = share.sum(dim=0).clamp(min=1e-3)
        centre = share.t() @ frames / mass.unsqueeze(1)
        self.codes.mul_(self.decay)  # <- culprit
        self.codes.add_(centre, alpha=1 - self.decay)  # <- culprit


class UnitModel(nn.Module):
    def __init__(self, mels, dim, units):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(mels, 48), nn.ReLU(), nn.Linear(48, dim))
        self.codebook = SoftCodebook(units, dim, decay=0.97, warmup=8)
        self.decoder = nn.Sequential(nn.Linear(dim, 48), nn.ReLU(), nn.Linear(48, mels))

    def forward(self, mel):
        frames = self.encoder(mel)
        quantized, share = self.codebook(frames)
        return self.decoder(quantized), frames, quantized, share


class PhoneMixture:
    def __init__(self, phones, mels, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.shapes = torch.randn(phones, mels, generator=self.gen)

    def batches(self, size, count):
        for _ in range(count):
            phone = torch.randint(0, len(self.shapes), (size,), generator=self.gen)
            noise = 0.3 * torch.randn(size, self.shapes.shape[1], generator=self.gen)
            yield self.shapes[phone] + noise


class UnitTrainer:
    def __init__(self, model, lr=2e-3, commit=0.1):
        self.model = model
        self.commit = commit
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.usage = []

    def perplexity(self, share):
        mean = share.detach().mean(dim=0)
        return torch.exp(-(mean * (mean + 1e-8).log()).sum()).item()

    def step(self, mel):
        rebuilt, frames, quantized, share = self.model(mel)
        recon = F.mse_loss(rebuilt, mel)
        commit = F.mse_loss(frames, quantized)
        loss = recon + self.commit * commit
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.usage.append(self.perplexity(share))
        return loss.item()


def main():
    torch.manual_seed(61)
    data = PhoneMixture(phones=14, mels=24, seed=61)
    trainer = UnitTrainer(UnitModel(mels=24, dim=16, units=20))
    trainer.model.train()
    for index, mel in enumerate(data.batches(size=96, count=100)):
        loss = trainer.step(mel)
        if index % 4 == 0:
            print(f"{index} loss {loss:.4f} units {trainer.usage[-1]:.1f}")


if __name__ == "__main__":
    main()
