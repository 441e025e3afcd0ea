# gradwatch-corpus: kind=crashed
# first-bad: 60
# notice: 0
"""Unconditional diffusion for very short 'audio' snippets. Draws samples now and then to judge progress."""
import torch

torch.set_num_threads(1)
torch.manual_seed(512)

from data import snippets
from diffusion import GaussianDiffusion
from models import ResNet1d


class Runner:
    def __init__(self, sample_every=60, total=600):
        self.diffusion = GaussianDiffusion(steps=20)
        self.model = ResNet1d(channels=8)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=2e-3)
        self.sample_every, self.total = sample_every, total

    def train_step(self, x):
        loss = self.diffusion.training_loss(self.model, x)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    def report(self, step, loss):
        wav = self.diffusion.sample(self.model, shape=(4, 1, 24))
        print(f"step {step} loss {loss:.4f} sample rms {wav.pow(2).mean().sqrt():.3f}")

    def run(self):
        for step in range(1, self.total + 1):
            loss = self.train_step(snippets(8))
            if step % self.sample_every == 0:
                self.report(step, loss)


if __name__ == "__main__":
    Runner().run()
