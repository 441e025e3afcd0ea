# gradwatch-corpus: kind=crashed
# line: spectral.py:11: spec = np.fft.rfft(fr.detach().numpy() * window)
# first-bad: 50
# notice: 0
import torch
torch.set_num_threads(1)
from torch import nn

from spectral import MultiResolutionSTFT


class Upsampler(nn.Module):
    def __init__(self, mel=16, ch=16):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(mel, ch, 3, padding=1), nn.LeakyReLU(0.1),
            nn.ConvTranspose1d(ch, ch, 8, stride=4, padding=2), nn.LeakyReLU(0.1),
            nn.ConvTranspose1d(ch, 1, 8, stride=4, padding=2), nn.Tanh())

    def forward(self, m):
        return self.net(m).squeeze(1)


class VocoderTrainer:
    def __init__(self, hp):
        self.hp = hp
        self.gen = Upsampler()
        self.stft = MultiResolutionSTFT(hp["windows"])
        self.optim = torch.optim.AdamW(self.gen.parameters(), hp["lr"], betas=(0.8, 0.99))

    def batch(self):
        f = torch.rand(6, 1) * 0.3 + 0.02
        t = torch.arange(16 * 16)
        wav = torch.sin(f * t) * 0.8
        mel = wav.view(6, 16, 16).transpose(1, 2).contiguous()
        return mel, wav

    def loss(self, step, fake, real):
        if step < self.hp["waveform_until"]:
            return nn.functional.l1_loss(fake, real)
        return self.stft(fake, real)

    def train(self):
        for step in range(self.hp["steps"]):
            mel, wav = self.batch()
            fake = self.gen(mel)
            loss = self.loss(step, fake, wav)
            self.optim.zero_grad()
            loss.backward()
            self.optim.step()
            if step % 25 == 0:
                print(step, f"{loss.item():.4f}")


torch.manual_seed(8)
VocoderTrainer({"windows": (32, 64), "lr": 2e-3, "waveform_until": 50, "steps": 300}).train()
