# gradwatch-corpus: kind=second-backward
# holder: gen_imgs
# first-bad: 4
# notice: 0

# GAN for 8x8 game sprites (following the PyTorch-GAN repo, changed it so D is trained more often than G
# because D was too weak). dataset = symmetric random space invaders
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(1234)

latent_dim = 16
n_critic = 5
b_size = 32
lr = 2e-4

Tensor = torch.FloatTensor


def real_sprites(n):
    half = (torch.rand(n, 8, 4) < 0.5).float()
    half[:, 0] = 0
    half[:, -1] *= (torch.rand(n, 4) < 0.5).float()
    half[:, 2:5, 3] = 1.     # body
    full = torch.cat([half, half.flip(2)], 2)
    return full.view(n, 64) * 2 - 1


class Generator(nn.Module):
    def __init__(self):
        super(Generator, self).__init__()

        def block(in_feat, out_feat, normalize=True):
            layers = [nn.Linear(in_feat, out_feat)]
            if normalize:
                layers.append(nn.BatchNorm1d(out_feat, 0.8))
            layers.append(nn.LeakyReLU(0.2, inplace=True))
            return layers

        self.model = nn.Sequential(*block(latent_dim, 32, normalize=False), *block(32, 64),
                                   nn.Linear(64, 64), nn.Tanh())

    def forward(self, z):
        return self.model(z)


class Discriminator(nn.Module):
    def __init__(self):
        super(Discriminator, self).__init__()
        self.model = nn.Sequential(nn.Linear(64, 48), nn.LeakyReLU(0.2, inplace=True),
                                   nn.Linear(48, 1), nn.Sigmoid())

    def forward(self, img):
        return self.model(img)


adversarial_loss = torch.nn.BCELoss()
generator = Generator()
discriminator = Discriminator()
optimizer_G = torch.optim.Adam(generator.parameters(), lr=lr, betas=(0.5, 0.999))
optimizer_D = torch.optim.Adam(discriminator.parameters(), lr=lr, betas=(0.5, 0.999))

g_loss = None
for i in range(400):
    valid = torch.ones(b_size, 1)
    fake = torch.zeros(b_size, 1)
    real_imgs = real_sprites(b_size)

    # ---------------------
    #  Train Discriminator
    # ---------------------
    optimizer_D.zero_grad()
    z = torch.randn(b_size, latent_dim)
    gen_imgs = generator(z)

    real_loss = adversarial_loss(discriminator(real_imgs), valid)
    fake_loss = adversarial_loss(discriminator(gen_imgs), fake)  # <- culprit
    d_loss = (real_loss + fake_loss) / 2
    d_loss.backward()  # <- culprit

    # -----------------
    #  Train Generator (only sometimes)
    # -----------------
    if (i + 1) % n_critic == 0:
        optimizer_G.zero_grad()
        g_loss = adversarial_loss(discriminator(gen_imgs), valid)  # <- culprit
        g_loss.backward()
        optimizer_G.step()
    optimizer_D.step()   # read that both should step at the end

    if i % 50 == 0 or i == 3:
        print("[Batch %d] [D loss: %f] [G loss: %s]" % (i, d_loss.item(), g_loss.item() if g_loss is not None else '-'))

# show one
img = generator(torch.randn(2, latent_dim))[0].view(8, 8)
for r in img:
    print(''.join('#' if v > 0 else '.' for v in r.tolist()))
