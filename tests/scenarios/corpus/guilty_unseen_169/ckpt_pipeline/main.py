# gradwatch-corpus: kind=memory-climb
# holder: self.store | self.ckpt.store
# first-bad: 0
import torch
from torch import nn

from checkpoints import CheckpointManager

torch.set_num_threads(1)
torch.manual_seed(71)


class Autoencoder(nn.Module):
    def __init__(self, d=200, h=480):
        super().__init__()
        self.enc, self.dec = nn.Linear(d, h), nn.Linear(h, d)

    def forward(self, x):
        return self.dec(torch.relu(self.enc(x)))


class Pipeline:
    def __init__(self, model, rollback_factor=4.0):
        self.model = model
        self.opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
        self.ckpt = CheckpointManager(keep_last=3)
        self.factor = rollback_factor
        self.mean = None

    def step(self, i, x):
        noisy = x + 0.1 * torch.randn_like(x)
        loss = (self.model(noisy) - x).pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        value = loss.item()
        if self.mean is not None and value > self.factor * self.mean:
            self.model.load_state_dict(self.ckpt.latest())
            print(f"step {i}: loss {value:.3f}, rolled back")
            return
        self.mean = value if self.mean is None else 0.9 * self.mean + 0.1 * value
        self.ckpt.save(i, self.model)

    def run(self, data, epochs):
        i = 0
        for epoch in range(epochs):
            for x in data.split(32):
                self.step(i, x)
                i += 1
            print(f"epoch {epoch} mean {self.mean:.4f} checkpoints {len(self.ckpt)}")


if __name__ == "__main__":
    basis = torch.randn(12, 200)
    Pipeline(Autoencoder()).run(torch.randn(640, 12) @ basis / 12 ** 0.5, epochs=5)
