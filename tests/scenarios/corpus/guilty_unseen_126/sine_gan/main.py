# gradwatch-corpus: kind=second-backward
# holder: fake
# first-bad: 1
# notice: 0
import torch

torch.set_num_threads(1)
torch.manual_seed(9)

from nets import Generator, Discriminator
from losses import d_loss_fn, g_loss_fn

G, D = Generator(6, 30), Discriminator(30)
g_opt = torch.optim.Adam(G.parameters(), lr=2e-4)
d_opt = torch.optim.Adam(D.parameters(), lr=2e-4)


def real_batch(n):
    x = torch.linspace(0, 3, 30)
    return torch.sin(x * (1 + torch.rand(n, 1)) + torch.rand(n, 1))


for epoch in range(20):
    for i in range(30):
        real = real_batch(16)
        fake = G(torch.randn(16, 6))

        d_opt.zero_grad()
        d_loss = d_loss_fn(D, real, fake)
        d_loss.backward()
        d_opt.step()

        g_opt.zero_grad()
        g_loss = g_loss_fn(D, fake)
        g_loss.backward()
        g_opt.step()
    print(epoch, d_loss.item(), g_loss.item())
