import torch

import networks


class Pix2PixModel:
    def __init__(self, opt):
        self.netG = networks.UnetSmall(opt.ngf)
        self.netD = networks.patch_discriminator(opt.ndf)
        self.criterionGAN = networks.GANLoss()
        self.lambda_L1 = opt.lambda_L1
        self.optimizer_G = torch.optim.Adam(self.netG.parameters(), lr=opt.lr, betas=(opt.beta1, 0.999))
        self.optimizer_D = torch.optim.Adam(self.netD.parameters(), lr=opt.lr, betas=(opt.beta1, 0.999))

    def set_input(self, batch):
        self.real_A, self.real_B = batch["A"], batch["B"]

    def forward(self):
        self.fake_B = self.netG(self.real_A)

    def backward_D(self):
        fake_AB = torch.cat((self.real_A, self.fake_B), 1)  # <- culprit
        self.loss_D_fake = self.criterionGAN(self.netD(fake_AB), False)
        real_AB = torch.cat((self.real_A, self.real_B), 1)
        self.loss_D_real = self.criterionGAN(self.netD(real_AB), True)
        self.loss_D = 0.5 * (self.loss_D_fake + self.loss_D_real)
        self.loss_D.backward()

    def backward_G(self):
        fake_AB = torch.cat((self.real_A, self.fake_B), 1)
        self.loss_G_GAN = self.criterionGAN(self.netD(fake_AB), True)
        self.loss_G_L1 = torch.nn.functional.l1_loss(self.fake_B, self.real_B) * self.lambda_L1
        (self.loss_G_GAN + self.loss_G_L1).backward()

    def optimize_parameters(self):
        self.forward()
        self.netD.requires_grad_(True)
        self.optimizer_D.zero_grad()
        self.backward_D()
        self.optimizer_D.step()
        self.netD.requires_grad_(False)
        self.optimizer_G.zero_grad()
        self.backward_G()
        self.optimizer_G.step()

    def current_losses(self):
        return {k: round(float(getattr(self, "loss_" + k)), 3) for k in ("D_fake", "D_real", "G_GAN", "G_L1")}
