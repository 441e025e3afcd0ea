# gradwatch-corpus: kind=none
import itertools
import random

import torch

from pool import ImagePool
from models import GANLoss, define_D, define_G, set_requires_grad

random.seed(1)
torch.manual_seed(1)
G_A, G_B, D_A, D_B = define_G(), define_G(), define_D(), define_D()
pool_A, pool_B = ImagePool(20), ImagePool(20)
gan, l1 = GANLoss(), torch.nn.L1Loss()
opt_G = torch.optim.Adam(itertools.chain(G_A.parameters(), G_B.parameters()), lr=2e-4, betas=(0.5, 0.999))
opt_D = torch.optim.Adam(itertools.chain(D_A.parameters(), D_B.parameters()), lr=2e-4, betas=(0.5, 0.999))


def backward_D(net, real, fake):
    loss = 0.5 * (gan(net(real), True) + gan(net(fake.detach()), False))
    loss.backward()
    return loss


for it in range(120):
    real_A = torch.rand(4, 1, 8, 8) * 2 - 1
    real_B = real_A.transpose(2, 3).flip(-1) * 0.5
    fake_B, fake_A = G_A(real_A), G_B(real_B)
    set_requires_grad([D_A, D_B], False)
    opt_G.zero_grad()
    loss_G = gan(D_A(fake_B), True) + gan(D_B(fake_A), True) + 10 * (l1(G_B(fake_B), real_A) + l1(G_A(fake_A), real_B))
    loss_G.backward()
    opt_G.step()
    set_requires_grad([D_A, D_B], True)
    opt_D.zero_grad()
    d_a = backward_D(D_A, real_B, pool_B.query(fake_B))
    d_b = backward_D(D_B, real_A, pool_A.query(fake_A))
    opt_D.step()
    if it % 40 == 0:
        print(it, loss_G.item(), d_a.item(), d_b.item())
