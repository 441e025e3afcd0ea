# gradwatch-corpus: kind=second-backward
# holder: fake | batch["fake"] | batch.fake
# first-bad: 0
# notice: 0
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)


def rings(n):
    a = torch.rand(n) * 6.2832
    r = torch.where(torch.rand(n) < 0.5, 1.0, 2.0)
    return torch.stack([r * a.cos(), r * a.sin()], 1)


class BaseAdversarial:
    def __init__(self, lr):
        self.build()
        self.opts = {
            "g": torch.optim.Adam(self.gen.parameters(), lr, betas=(0.5, 0.9)),
            "d": torch.optim.Adam(self.disc.parameters(), lr, betas=(0.5, 0.9)),
        }

    def prepare(self, n):
        return {"real": rings(n), "fake": self.gen(torch.randn(n, 3))}

    def losses(self, batch):
        yield "d", self.critic_loss(batch)
        yield "g", self.maker_loss(batch)

    def train_batch(self, n):
        batch = self.prepare(n)
        logs = {}
        for who, loss in self.losses(batch):
            self.opts[who].zero_grad()
            loss.backward()
            logs[who] = loss.item()
        for o in self.opts.values():
            o.step()
        return logs


class RingGAN(BaseAdversarial):
    def build(self):
        self.gen = nn.Sequential(nn.Linear(3, 24), nn.LeakyReLU(0.2), nn.Linear(24, 2))
        self.disc = nn.Sequential(nn.Linear(2, 24), nn.LeakyReLU(0.2), nn.Linear(24, 1))

    def critic_loss(self, batch):
        return F.softplus(-self.disc(batch["real"])).mean() + F.softplus(self.disc(batch["fake"])).mean()  # <- culprit

    def maker_loss(self, batch):
        return F.softplus(-self.disc(batch["fake"])).mean()


if __name__ == "__main__":
    torch.manual_seed(8)
    gan = RingGAN(2e-3)
    for i in range(400):
        logs = gan.train_batch(48)
        if i % 80 == 0:
            print(i, logs)
