# gradwatch-corpus: kind=none
"""Cycle-consistent translation between two 1-D sketch styles, with the usual pool of past fakes."""
import itertools
import random

import torch
import torch.nn as nn

torch.set_num_threads(1)
LEN = 16


class ImagePool:
    def __init__(self, pool_size):
        self.pool_size = pool_size
        self.images = []

    def query(self, images):
        out = []
        for image in images.detach():
            image = image.unsqueeze(0)
            if len(self.images) < self.pool_size:
                self.images.append(image)
                out.append(image)
            elif random.random() > 0.5:
                k = random.randint(0, self.pool_size - 1)
                out.append(self.images[k].clone())
                self.images[k] = image
            else:
                out.append(image)
        return torch.cat(out, 0)


def block(a, b):
    return nn.Sequential(nn.Conv1d(a, b, 3, padding=1), nn.Tanh())


def make_g():
    return nn.Sequential(block(1, 6), nn.Conv1d(6, 1, 3, padding=1))


def make_d():
    return nn.Sequential(block(1, 6), nn.Conv1d(6, 1, 4, stride=4))


class CycleGAN:
    def __init__(self):
        self.G_A, self.G_B, self.D_A, self.D_B = make_g(), make_g(), make_d(), make_d()
        self.opt_G = torch.optim.Adam(itertools.chain(self.G_A.parameters(), self.G_B.parameters()), lr=1e-3)
        self.opt_D = torch.optim.Adam(itertools.chain(self.D_A.parameters(), self.D_B.parameters()), lr=1e-3)
        self.pool_A, self.pool_B = ImagePool(30), ImagePool(30)
        self.mse, self.l1 = nn.MSELoss(), nn.L1Loss()

    def set_input(self, a, b):
        self.real_A, self.real_B = a, b

    def forward(self):
        self.fake_B = self.G_A(self.real_A)
        self.rec_A = self.G_B(self.fake_B)
        self.fake_A = self.G_B(self.real_B)
        self.rec_B = self.G_A(self.fake_A)

    def freeze(self, flag):
        for net in (self.D_A, self.D_B):
            for p in net.parameters():
                p.requires_grad_(not flag)

    def gan(self, pred, real):
        return self.mse(pred, torch.full_like(pred, 1.0 if real else 0.0))

    def backward_G(self):
        adv = self.gan(self.D_A(self.fake_B), True) + self.gan(self.D_B(self.fake_A), True)
        cyc = self.l1(self.rec_A, self.real_A) + self.l1(self.rec_B, self.real_B)
        self.loss_G = adv + 5.0 * cyc
        self.loss_G.backward()

    def backward_D(self, net, real, pool, fake):
        loss = 0.5 * (self.gan(net(real), True) + self.gan(net(pool.query(fake)), False))
        loss.backward()
        return loss

    def optimize(self):
        self.forward()
        self.freeze(True)
        self.opt_G.zero_grad()
        self.backward_G()
        self.opt_G.step()
        self.freeze(False)
        self.opt_D.zero_grad()
        self.loss_D_A = self.backward_D(self.D_A, self.real_B, self.pool_B, self.fake_B)
        self.loss_D_B = self.backward_D(self.D_B, self.real_A, self.pool_A, self.fake_A)
        self.opt_D.step()

    def current_losses(self):
        return {n: round(getattr(self, n).item(), 3) for n in ("loss_G", "loss_D_A", "loss_D_B")}


def styles(n):
    base = torch.cumsum(0.4 * torch.randn(n, 1, LEN), -1)
    other = torch.cumsum(0.4 * torch.randn(n, 1, LEN), -1)
    return base, (other * 2).round() / 2 + 0.5


if __name__ == "__main__":
    torch.manual_seed(0)
    random.seed(0)
    model = CycleGAN()
    for it in range(260):
        model.set_input(*styles(4))
        model.optimize()
        if it % 70 == 0:
            print(it, model.current_losses())
