# gradwatch-corpus: kind=second-backward
# holder: self.images | fake_pool.images | self.fake_pool.images | model.fake_pool.images
# first-bad: 10
import random

import torch
import torch.nn as nn


class ImagePool:
    """history of generated images, see Shrivastava et al. 2016"""

    def __init__(self, pool_size):
        self.pool_size = pool_size
        self.num_imgs = 0
        self.images = []

    def query(self, image):
        if self.num_imgs < self.pool_size:
            self.num_imgs = self.num_imgs + 1
            self.images.append(image)  # <- culprit
            return image.detach()
        if random.uniform(0, 1) > 0.5:
            idx = random.randint(0, self.pool_size - 1)
            old = self.images[idx]
            self.images[idx] = image  # <- culprit
            return old  # <- culprit
        return image.detach()


class Generator(nn.Module):
    def __init__(self, nc=1, ngf=8):
        super().__init__()
        self.down = nn.Sequential(nn.Conv2d(nc, ngf, 3, 1, 1), nn.InstanceNorm2d(ngf), nn.ReLU())
        self.res = nn.Sequential(nn.Conv2d(ngf, ngf, 3, 1, 1), nn.ReLU(), nn.Conv2d(ngf, ngf, 3, 1, 1))
        self.up = nn.Conv2d(ngf, nc, 3, 1, 1)

    def forward(self, x):
        h = self.down(x)
        h = h + self.res(h)
        return torch.tanh(self.up(h))


class PatchD(nn.Module):
    def __init__(self, nc=1, ndf=8):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(nc, ndf, 4, 2, 1),
            nn.LeakyReLU(0.2),
            nn.Conv2d(ndf, 1, 3, 1, 1),
        )

    def forward(self, x):
        return self.net(x)


class RefinerModel:
    def __init__(self):
        self.netG = Generator()
        self.netD = PatchD()
        self.fake_pool = ImagePool(10)
        self.criterionGAN = nn.MSELoss()
        self.criterionL1 = nn.L1Loss()
        self.lambda_self = 5.0
        self.optimizer_G = torch.optim.Adam(self.netG.parameters(), lr=2e-4, betas=(0.5, 0.999))
        self.optimizer_D = torch.optim.Adam(self.netD.parameters(), lr=2e-4, betas=(0.5, 0.999))

    def set_input(self, synth, real):
        self.synth = synth
        self.real = real

    def gan_loss(self, pred, is_real):
        target = torch.ones_like(pred) if is_real else torch.zeros_like(pred)
        return self.criterionGAN(pred, target)

    def backward_G(self):
        self.fake = self.netG(self.synth)
        self.loss_G = self.gan_loss(self.netD(self.fake), True)
        self.loss_self = self.criterionL1(self.fake, self.synth) * self.lambda_self
        (self.loss_G + self.loss_self).backward()

    def backward_D(self):
        fake = self.fake_pool.query(self.fake)
        loss_real = self.gan_loss(self.netD(self.real), True)
        loss_fake = self.gan_loss(self.netD(fake), False)
        self.loss_D = (loss_real + loss_fake) * 0.5
        self.loss_D.backward()

    def optimize_parameters(self):
        self.optimizer_G.zero_grad()
        self.backward_G()
        self.optimizer_G.step()
        self.optimizer_D.zero_grad()
        self.backward_D()
        self.optimizer_D.step()


def eyes(n, noise):
    yy, xx = torch.meshgrid(torch.linspace(-1, 1, 12), torch.linspace(-1, 1, 12), indexing="ij")
    c = 0.5 * torch.rand(n, 2, 1, 1) - 0.25
    r2 = (yy - c[:, 0]) ** 2 + (xx - c[:, 1]) ** 2
    img = torch.where(r2 < 0.15, -1.0, 1.0).unsqueeze(1)
    return (img + noise * torch.randn_like(img)).clamp(-1, 1)


if __name__ == "__main__":
    random.seed(10)
    torch.manual_seed(10)
    model = RefinerModel()
    for i in range(80):
        model.set_input(eyes(8, 0.0), eyes(8, 0.3))
        model.optimize_parameters()
        print(f"[{i}] G {model.loss_G.item():.3f} self {model.loss_self.item():.3f} D {model.loss_D.item():.3f}")
