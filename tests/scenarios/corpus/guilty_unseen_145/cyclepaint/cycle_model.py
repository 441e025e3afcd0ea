import itertools

import torch
from torch import nn


def define_G(ch=4):
    return nn.Sequential(nn.Conv2d(1, ch, 3, padding=1), nn.InstanceNorm2d(ch), nn.ReLU(),
                         nn.Conv2d(ch, 1, 3, padding=1), nn.Tanh())


def define_D(ch=4):
    return nn.Sequential(nn.Conv2d(1, ch, 4, 2, 1), nn.LeakyReLU(0.2), nn.Conv2d(ch, 1, 4, 2, 1))


class CycleModel:
    visual_names = ["real_A", "fake_B", "rec_A", "real_B", "fake_A", "rec_B"]

    def __init__(self):
        self.netG_A, self.netG_B = define_G(), define_G()
        self.netD_A, self.netD_B = define_D(), define_D()
        self.opt_G = torch.optim.Adam(itertools.chain(self.netG_A.parameters(), self.netG_B.parameters()), 2e-3, (0.5, 0.999))
        self.opt_D = torch.optim.Adam(itertools.chain(self.netD_A.parameters(), self.netD_B.parameters()), 2e-3, (0.5, 0.999))
        self.lambda_cyc = 10.0

    def set_input(self, data):
        self.real_A, self.real_B = data["A"], data["B"]

    def forward(self):
        self.fake_B = self.netG_A(self.real_A)
        self.rec_A = self.netG_B(self.fake_B)
        self.fake_A = self.netG_B(self.real_B)
        self.rec_B = self.netG_A(self.fake_A)

    @staticmethod
    def gan_loss(pred, is_real):
        return ((pred - float(is_real)) ** 2).mean()

    def optimize_parameters(self):
        self.forward()
        for net in (self.netD_A, self.netD_B):
            net.requires_grad_(False)
        self.opt_G.zero_grad()
        adv = self.gan_loss(self.netD_A(self.fake_B), True) + self.gan_loss(self.netD_B(self.fake_A), True)
        cyc = (self.rec_A - self.real_A).abs().mean() + (self.rec_B - self.real_B).abs().mean()
        self.loss_G = adv + self.lambda_cyc * cyc
        self.loss_G.backward()
        self.opt_G.step()
        for net in (self.netD_A, self.netD_B):
            net.requires_grad_(True)
        self.opt_D.zero_grad()
        self.loss_D = 0
        for net, real, fake in ((self.netD_A, self.real_B, self.fake_B), (self.netD_B, self.real_A, self.fake_A)):
            d = 0.5 * (self.gan_loss(net(real), True) + self.gan_loss(net(fake.detach()), False))
            d.backward()
            self.loss_D += d.item()
        self.opt_D.step()

    def get_current_visuals(self):
        return {name: getattr(self, name) for name in self.visual_names}  # <- culprit

    def get_current_losses(self):
        return {"G": float(self.loss_G), "D": self.loss_D}
