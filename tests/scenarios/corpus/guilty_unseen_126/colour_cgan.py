# gradwatch-corpus: kind=crashed
# first-bad: 2
# notice: 0
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(90)


def set_requires_grad(nets, flag):
    for net in nets if isinstance(nets, list) else [nets]:
        for p in net.parameters():
            p.requires_grad = flag  # <- culprit


class Colouriser:
    def __init__(self):
        self.netG = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 3, 3, padding=1), nn.Sigmoid())
        self.netD = nn.Sequential(nn.Conv2d(4, 8, 3, stride=2), nn.LeakyReLU(0.2), nn.Conv2d(8, 1, 3))
        self.optimizer_G = torch.optim.Adam(self.netG.parameters(), lr=2e-4)
        self.optimizer_D = torch.optim.Adam(self.netD.parameters(), lr=2e-4)
        self.lam = 10.0

    def set_input(self, rgb):
        self.real_B = rgb
        self.real_A = rgb.mean(1, keepdim=True)

    def forward(self):
        self.fake_B = self.netG(self.real_A)

    def backward_D(self):
        fake = self.netD(torch.cat([self.real_A, self.fake_B.detach()], 1))
        real = self.netD(torch.cat([self.real_A, self.real_B], 1))
        self.loss_D = 0.5 * ((fake ** 2).mean() + ((real - 1) ** 2).mean())
        self.loss_D.backward()

    def backward_G(self):
        pred = self.netD(torch.cat([self.real_A, self.fake_B], 1))
        self.loss_G = ((pred - 1) ** 2).mean() + self.lam * (self.fake_B - self.real_B).abs().mean()
        self.loss_G.backward()

    def optimize_parameters(self):
        self.forward()
        self.optimizer_D.zero_grad()
        self.backward_D()
        self.optimizer_D.step()
        set_requires_grad(self.netD, False)  # <- culprit
        self.optimizer_G.zero_grad()
        self.backward_G()
        self.optimizer_G.step()


model = Colouriser()
for total_iters in range(300):
    model.set_input(torch.rand(4, 3, 9, 9))
    model.optimize_parameters()
    if total_iters % 50 == 0:
        print(total_iters, model.loss_D.item(), model.loss_G.item())
