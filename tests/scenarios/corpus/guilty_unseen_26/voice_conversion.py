# gradwatch-corpus: kind=second-backward
# holder: z | codes.z | codes
# first-bad: 0
# after: "GAN: Trying to backward through the graph a second time, detach the generator output" (adversarial speaker classifier on the content code)
"""Voice conversion: content encoder, speaker embedding, decoder; a classifier must not find the speaker
in the content code."""
from collections import namedtuple
from types import SimpleNamespace

import torch
import torch.nn.functional as F
from torch import nn

hp = SimpleNamespace(mels=40, frames=32, speakers=6, dim=24, batch=8, steps=100, lr=1e-3, lam=0.05)
Codes = namedtuple("Codes", "z spk")


def conv(i, o, k=5):
    return nn.Sequential(nn.Conv1d(i, o, k, padding=k // 2), nn.InstanceNorm1d(o), nn.LeakyReLU(0.2))


class Converter(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(conv(hp.mels, 48), conv(48, hp.dim))
        self.speaker = nn.Embedding(hp.speakers, hp.dim)
        self.decoder = nn.Sequential(conv(2 * hp.dim, 48), nn.Conv1d(48, hp.mels, 1))

    def encode(self, mel, who):
        return Codes(self.encoder(mel), self.speaker(who))

    def decode(self, codes):
        spk = codes.spk[..., None].expand(-1, -1, codes.z.shape[-1])
        return self.decoder(torch.cat([codes.z, spk], 1))


class SpeakerCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(conv(hp.dim, 32), nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(32, hp.speakers))

    def forward(self, z):
        return self.body(z)


class Corpus(torch.utils.data.IterableDataset):
    def __iter__(self):
        g = torch.Generator().manual_seed(2)
        voice = torch.randn(hp.speakers, hp.mels, 1, generator=g)
        t = torch.arange(hp.frames)
        while True:
            who = torch.randint(0, hp.speakers, (hp.batch,), generator=g)
            f = torch.rand(hp.batch, hp.mels, 1, generator=g)
            yield voice[who] + torch.sin(f * t), who


class Adversary:
    """Owns the critic: trains it, and says how badly the converter hides the speaker."""

    def __init__(self):
        self.critic = SpeakerCritic()
        self.opt = torch.optim.Adam(self.critic.parameters(), lr=hp.lr)

    def backward(self, codes, who):
        loss = F.cross_entropy(self.critic(codes.z), who)  # <- culprit
        self.opt.zero_grad()
        loss.backward()
        return loss.item()

    def leak(self, codes, who):
        for p in self.critic.parameters():
            p.requires_grad_(False)
        out = -F.cross_entropy(self.critic(codes.z), who)
        for p in self.critic.parameters():
            p.requires_grad_(True)
        return out


def main():
    torch.manual_seed(0)
    model, adversary = Converter(), Adversary()
    opt = torch.optim.Adam(model.parameters(), lr=hp.lr)
    data = iter(torch.utils.data.DataLoader(Corpus(), batch_size=None))
    for step in range(hp.steps):
        mel, who = next(data)
        codes = model.encode(mel, who)
        recon = F.l1_loss(model.decode(codes), mel)
        d_loss = adversary.backward(codes, who)
        loss = recon + hp.lam * adversary.leak(codes, who)
        opt.zero_grad()
        loss.backward()
        opt.step()
        adversary.opt.step()
        if step % 20 == 0:
            print(f"{step:4d} recon {recon.item():.3f} critic {d_loss:.3f}")


if __name__ == "__main__":
    main()
