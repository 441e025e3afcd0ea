# gradwatch-corpus: kind=graph-held
# holder: self.images | fake_A_pool.images | fake_B_pool.images
# first-bad: 1
import itertools
import random

import torch
import torch.nn as nn

random.seed(1)
torch.manual_seed(1)

lambda_cyc = 10.0
lambda_idt = 0.5
n_iters = 70
bs = 2


class ImagePool():
    """History of generated images (Shrivastava et al.)"""

    def __init__(self, pool_size):
        self.pool_size = pool_size
        self.num_imgs = 0
        self.images = []

    def query(self, images):
        if self.pool_size == 0:
            return images
        return_images = []
        for image in images:
            image = torch.unsqueeze(image, 0)
            if self.num_imgs < self.pool_size:
                self.num_imgs = self.num_imgs + 1
                self.images.append(image)  # <- culprit
                return_images.append(image)
            else:
                p = random.uniform(0, 1)
                if p > 0.5:
                    random_id = random.randint(0, self.pool_size - 1)
                    tmp = self.images[random_id].clone()
                    self.images[random_id] = image  # <- culprit
                    return_images.append(tmp)
                else:
                    return_images.append(image)
        return torch.cat(return_images, 0)


def conv_block(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.InstanceNorm2d(o), nn.ReLU())


def make_G():
    return nn.Sequential(conv_block(3, 8), conv_block(8, 8), nn.Conv2d(8, 3, 3, padding=1), nn.Tanh())


def make_D():
    return nn.Sequential(nn.Conv2d(3, 8, 4, 2, 1), nn.LeakyReLU(0.2), nn.Conv2d(8, 1, 4, 2, 1))


def set_requires_grad(nets, flag):
    for net in nets:
        for p in net.parameters():
            p.requires_grad = flag


G_AB, G_BA, D_A, D_B = make_G(), make_G(), make_D(), make_D()
opt_G = torch.optim.Adam(itertools.chain(G_AB.parameters(), G_BA.parameters()), lr=2e-4, betas=(0.5, 0.999))
opt_D = torch.optim.Adam(itertools.chain(D_A.parameters(), D_B.parameters()), lr=2e-4, betas=(0.5, 0.999))
mse, l1 = nn.MSELoss(), nn.L1Loss()
fake_A_pool, fake_B_pool = ImagePool(50), ImagePool(50)


def gan_loss(pred, is_real):
    return mse(pred, torch.full_like(pred, 1.0 if is_real else 0.0))


def d_loss(D, real, fake):
    return 0.5 * (gan_loss(D(real), True) + gan_loss(D(fake.detach()), False))


sum_G = sum_D = 0.0
for i in range(n_iters):
    real_A = torch.rand(bs, 3, 16, 16) * 2 - 1
    real_B = torch.sin(3 * torch.rand(bs, 3, 16, 16))

    # generators
    set_requires_grad([D_A, D_B], False)
    fake_B, fake_A = G_AB(real_A), G_BA(real_B)
    loss_cyc = l1(G_BA(fake_B), real_A) + l1(G_AB(fake_A), real_B)
    loss_idt = l1(G_BA(real_A), real_A) + l1(G_AB(real_B), real_B)
    loss_gan = gan_loss(D_B(fake_B), True) + gan_loss(D_A(fake_A), True)
    loss_G = loss_gan + lambda_cyc * (loss_cyc + lambda_idt * loss_idt)
    opt_G.zero_grad()
    loss_G.backward()
    opt_G.step()

    # discriminators
    set_requires_grad([D_A, D_B], True)
    old_A = fake_A_pool.query(fake_A)  # <- culprit
    old_B = fake_B_pool.query(fake_B)  # <- culprit
    loss_D = d_loss(D_A, real_A, old_A) + d_loss(D_B, real_B, old_B)
    opt_D.zero_grad()
    loss_D.backward()
    opt_D.step()

    sum_G += loss_G.item()
    sum_D += loss_D.item()
    if (i + 1) % 10 == 0:
        print("iter %d  G: %.3f  D: %.3f" % (i + 1, sum_G / (i + 1), sum_D / (i + 1)))
