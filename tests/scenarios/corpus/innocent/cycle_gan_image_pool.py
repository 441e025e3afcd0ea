# gradwatch-corpus: kind=none
# about: two generators in one optimizer, two discriminators in another, and pools of fifty older
# about: fakes that the discriminators are shown again: bounded, and detached
import itertools
import random

import torch
import torch.nn as nn
from parts.pace import ITERATIONS


class ImagePool:
    def __init__(self, size=50):
        self.size = size
        self.images = []

    def query(self, images):
        out = []
        for image in images.detach():
            image = image.unsqueeze(0)
            if len(self.images) < self.size:
                self.images.append(image)
                out.append(image)
            elif random.random() > 0.5:
                i = random.randrange(self.size)
                out.append(self.images[i].clone())
                self.images[i] = image
            else:
                out.append(image)
        return torch.cat(out)


def generator():
    return nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1),
        nn.InstanceNorm2d(8),
        nn.ReLU(),
        nn.Conv2d(8, 3, 3, padding=1),
    )


def discriminator():
    return nn.Sequential(nn.Conv2d(3, 8, 4, 2, 1), nn.LeakyReLU(0.2), nn.Conv2d(8, 1, 4, 2, 1))


class CycleGAN:
    def __init__(self):
        self.G_A, self.G_B = generator(), generator()
        self.D_A, self.D_B = discriminator(), discriminator()
        self.pool_A, self.pool_B = ImagePool(), ImagePool()
        self.opt_G = torch.optim.Adam(
            itertools.chain(self.G_A.parameters(), self.G_B.parameters()), lr=2e-4
        )
        self.opt_D = torch.optim.Adam(
            itertools.chain(self.D_A.parameters(), self.D_B.parameters()), lr=2e-4
        )

    @staticmethod
    def requires_grad(nets, flag):
        for net in nets:
            for p in net.parameters():
                p.requires_grad_(flag)

    @staticmethod
    def adversarial(scores, real):
        return ((scores - float(real)) ** 2).mean()

    def forward(self, a, b):
        self.real_A, self.real_B = a, b
        self.fake_B, self.fake_A = self.G_A(a), self.G_B(b)
        self.rec_A, self.rec_B = self.G_B(self.fake_B), self.G_A(self.fake_A)

    def backward_G(self):
        cycle = (self.rec_A - self.real_A).abs().mean() + (self.rec_B - self.real_B).abs().mean()
        self.loss_G = (
            self.adversarial(self.D_A(self.fake_B), True)
            + self.adversarial(self.D_B(self.fake_A), True)
            + 10 * cycle
        )
        self.loss_G.backward()

    def backward_D(self, net, real, fake):
        loss = 0.5 * (self.adversarial(net(real), True) + self.adversarial(net(fake), False))
        loss.backward()
        return loss

    def optimize_parameters(self, a, b):
        self.forward(a, b)
        self.requires_grad([self.D_A, self.D_B], False)
        self.opt_G.zero_grad()
        self.backward_G()
        self.opt_G.step()
        self.requires_grad([self.D_A, self.D_B], True)
        self.opt_D.zero_grad()
        self.loss_D_A = self.backward_D(self.D_A, b, self.pool_B.query(self.fake_B))
        self.loss_D_B = self.backward_D(self.D_B, a, self.pool_A.query(self.fake_A))
        self.opt_D.step()


if __name__ == "__main__":
    torch.manual_seed(0)
    random.seed(0)
    model = CycleGAN()
    for i in range(ITERATIONS // 2):
        model.optimize_parameters(torch.rand(2, 3, 16, 16), 1 - torch.rand(2, 3, 16, 16) ** 2)
        if i % 25 == 0:
            print(
                f"{i}: G {model.loss_G.item():.6f} D {model.loss_D_A.item():.6f} "
                f"pool {len(model.pool_A.images)}"
            )
