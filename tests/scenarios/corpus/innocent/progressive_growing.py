# gradwatch-corpus: kind=none
# about: the network gets a new block every fifty iterations: nodes and memory climb in steps, as
# about: they should; new parameters join the optimizer by add_param_group
import torch
import torch.nn as nn
import torch.nn.functional as F
from parts.pace import ITERATIONS


class GrowingDecoder(nn.Module):
    def __init__(self, latent=16, channels=12):
        super().__init__()
        self.stem = nn.Linear(latent, channels * 4 * 4)
        self.blocks = nn.ModuleList()
        self.to_rgb = nn.ModuleList([nn.Conv2d(channels, 3, 1)])
        self.channels = channels
        self.alpha = 1.0

    @property
    def size(self):
        return 4 * 2 ** len(self.blocks)

    def grow(self):
        block = nn.Sequential(nn.Conv2d(self.channels, self.channels, 3, padding=1), nn.ReLU())
        rgb = nn.Conv2d(self.channels, 3, 1)
        self.blocks.append(block)
        self.to_rgb.append(rgb)
        self.alpha = 0.0
        return [*block.parameters(), *rgb.parameters()]

    def forward(self, z):
        x = self.stem(z).view(-1, self.channels, 4, 4)
        old = None
        for i, block in enumerate(self.blocks):
            up = F.interpolate(x, scale_factor=2)
            if i == len(self.blocks) - 1:
                old = self.to_rgb[i](up)
            x = block(up)
        image = self.to_rgb[-1](x)
        if old is not None and self.alpha < 1:
            image = self.alpha * image + (1 - self.alpha) * old
        return image


class Trainer:
    stage_every = 50
    largest = 16

    def __init__(self):
        self.model = GrowingDecoder()
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-3)
        self.codes = torch.randn(32, 16)
        self.images = torch.rand(32, 3, 32, 32)

    def maybe_grow(self, step):
        if step and step % self.stage_every == 0 and self.model.size < self.largest:
            self.optimizer.add_param_group({"params": self.model.grow()})
            print(f"step {step}: now {self.model.size} pixels")

    def step(self, step):
        self.maybe_grow(step)
        self.model.alpha = min(1.0, self.model.alpha + 0.04)
        rows = torch.randint(0, 32, (8,))
        target = F.adaptive_avg_pool2d(self.images[rows], self.model.size)
        loss = F.l1_loss(self.model(self.codes[rows]), target)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()
        return loss.item()


def main():
    torch.manual_seed(0)
    trainer = Trainer()
    for step in range(ITERATIONS):
        loss = trainer.step(step)
        if step % 50 == 49:
            print(f"step {step} loss {loss:.6f}")


if __name__ == "__main__":
    main()
