# gradwatch-corpus: kind=graph-held
# holder: self.jobs | self.side.jobs | side.jobs
"""Vocoder toy: the spectral penalty is computed in a side thread while the main one does the rest."""
import torch
from torch import nn

from side import SideWorker
from spectral import multi_resolution

torch.set_num_threads(1)
torch.manual_seed(3)


class Vocoder(nn.Module):
    def __init__(self, mels=10, hop=16):
        super().__init__()
        self.pre = nn.Conv1d(mels, 16, 3, padding=1)
        self.up = nn.ConvTranspose1d(16, 8, hop, stride=hop)
        self.post = nn.Conv1d(8, 1, 7, padding=3)

    def forward(self, mel):
        h = torch.tanh(self.up(torch.tanh(self.pre(mel))))
        return self.post(h).squeeze(1)


class Trainer:
    def __init__(self):
        self.net = Vocoder()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=2e-3)
        self.side = SideWorker()

    def step(self, mel, wave):
        out = self.net(mel)
        job = self.side.start(multi_resolution, out, wave)
        l1 = (out - wave).abs().mean()
        loss = l1 + 0.1 * job.result()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


def examples(steps, gen, mels=10, frames=32, hop=16):
    proj = torch.randn(mels, 1, generator=gen)
    t = torch.arange(frames * hop) / 256.0
    for _ in range(steps):
        pitch = 4 + 12 * torch.rand(6, 1, generator=gen)
        wave = torch.sin(2 * torch.pi * pitch * t)
        env = wave.view(6, 1, frames, hop).mean(-1)
        yield env * proj + 0.05 * torch.randn(6, mels, frames, generator=gen), wave


def main():
    trainer = Trainer()
    gen = torch.Generator().manual_seed(1)
    for step, (mel, wave) in enumerate(examples(90, gen)):
        value = trainer.step(mel, wave)
        if step % 15 == 0:
            print(f"step {step} loss {value:.3f}")
    print(trainer.side.shut())


if __name__ == "__main__":
    main()
