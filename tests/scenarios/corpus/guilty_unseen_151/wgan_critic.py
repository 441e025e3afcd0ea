# gradwatch-corpus: kind=second-backward
# holder: gen_imgs
# first-bad: 5
import argparse

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--n_epochs", type=int, default=4)
parser.add_argument("--batch_size", type=int, default=16)
parser.add_argument("--lr", type=float, default=5e-4)
parser.add_argument("--latent_dim", type=int, default=10)
parser.add_argument("--img_size", type=int, default=8)
parser.add_argument("--n_critic", type=int, default=5)
parser.add_argument("--clip_value", type=float, default=0.05)
parser.add_argument("--sample_interval", type=int, default=20)
opt = parser.parse_args()
img_shape = (1, opt.img_size, opt.img_size)

torch.set_num_threads(1)
torch.manual_seed(0)


class Generator(nn.Module):
    def __init__(self):
        super().__init__()

        def block(in_feat, out_feat, normalize=True):
            layers = [nn.Linear(in_feat, out_feat)]
            if normalize:
                layers.append(nn.BatchNorm1d(out_feat, 0.8))
            layers.append(nn.LeakyReLU(0.2, inplace=True))
            return layers

        self.model = nn.Sequential(
            *block(opt.latent_dim, 24, normalize=False),
            *block(24, 32),
            nn.Linear(32, int(np.prod(img_shape))),
            nn.Tanh(),
        )

    def forward(self, z):
        img = self.model(z)
        return img.view(img.shape[0], *img_shape)


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = nn.Sequential(
            nn.Linear(int(np.prod(img_shape)), 32),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Linear(32, 16),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Linear(16, 1),
        )

    def forward(self, img):
        return self.model(img.view(img.shape[0], -1))


def stripes(n, size):
    phase = torch.rand(n, 1, 1, 1) * 6.28
    grid = torch.arange(size).view(1, 1, 1, size) * 0.8
    return torch.sin(grid + phase).expand(n, 1, size, size).contiguous()


generator, discriminator = Generator(), Discriminator()
dataloader = DataLoader(TensorDataset(stripes(400, opt.img_size)), batch_size=opt.batch_size, shuffle=True)
optimizer_G = torch.optim.RMSprop(generator.parameters(), lr=opt.lr)
optimizer_D = torch.optim.RMSprop(discriminator.parameters(), lr=opt.lr)

batches_done = 0
loss_G = torch.zeros(())
for epoch in range(opt.n_epochs):
    for i, (real_imgs,) in enumerate(dataloader):
        optimizer_D.zero_grad()
        z = torch.randn(real_imgs.shape[0], opt.latent_dim)
        gen_imgs = generator(z)  # <- culprit
        loss_D = -torch.mean(discriminator(real_imgs)) + torch.mean(discriminator(gen_imgs))  # <- culprit
        loss_D.backward()
        optimizer_D.step()
        for p in discriminator.parameters():
            p.data.clamp_(-opt.clip_value, opt.clip_value)

        batches_done += 1
        if batches_done % opt.n_critic == 0:
            optimizer_G.zero_grad()
            loss_G = -torch.mean(discriminator(gen_imgs))  # <- culprit
            loss_G.backward()
            optimizer_G.step()
        if batches_done % opt.sample_interval == 0:
            print(f"[Epoch {epoch}/{opt.n_epochs}] [Batch {i}/{len(dataloader)}] "
                  f"[D loss: {loss_D.item():f}] [G loss: {loss_G.item():f}]")
