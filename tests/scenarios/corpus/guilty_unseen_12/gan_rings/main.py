# gradwatch-corpus: kind=graph-held
# holder: utils.HISTORY["g_loss"] | HISTORY["g_loss"] | HISTORY | HISTORY[name] | HISTORY.setdefault(name, [])
# first-bad: 1
"""GAN tutorial, part 3: the notebook turned into a script, two rings instead of MNIST so it runs on a laptop."""
import torch

from nets import Generator, Discriminator, weights_init
from utils import HISTORY, record, mean_of, sample_rings, real_labels, fake_labels

torch.manual_seed(999)
torch.set_num_threads(1)

nz = 8
ngf = 48
ndf = 48
batch_size = 64
num_iters = 400
lr = 5e-4
beta1 = 0.5

netG = Generator(nz, ngf)
netD = Discriminator(ndf)
netG.apply(weights_init)
netD.apply(weights_init)

criterion = torch.nn.BCEWithLogitsLoss()
fixed_noise = torch.randn(16, nz)
optimizerD = torch.optim.Adam(netD.parameters(), lr=lr, betas=(beta1, 0.999))
optimizerG = torch.optim.Adam(netG.parameters(), lr=lr, betas=(beta1, 0.999))


def d_step(real, fake):
    """Update D network: maximize log(D(x)) + log(1 - D(G(z)))"""
    netD.zero_grad()
    out_real = netD(real).view(-1)
    errD_real = criterion(out_real, real_labels(real.size(0)))
    errD_real.backward()
    D_x = torch.sigmoid(out_real).mean().item()
    out_fake = netD(fake.detach()).view(-1)
    errD_fake = criterion(out_fake, fake_labels(fake.size(0)))
    errD_fake.backward()
    errD = errD_real.item() + errD_fake.item()
    optimizerD.step()
    record(d_loss=errD, d_x=D_x)
    return errD


def g_step(fake):
    """Update G network: maximize log(D(G(z)))"""
    netG.zero_grad()
    output = netD(fake).view(-1)
    errG = criterion(output, real_labels(fake.size(0)))
    errG.backward()
    D_G_z2 = torch.sigmoid(output).mean().item()
    optimizerG.step()
    record(g_loss=errG, d_g_z=D_G_z2)  # <- culprit
    return errG.item()


def radius_of_samples():
    with torch.no_grad():
        return netG(fixed_noise).norm(dim=1).mean().item()


print("Starting Training Loop...")
for i in range(num_iters):
    real = sample_rings(batch_size)
    noise = torch.randn(batch_size, nz)
    fake = netG(noise)
    d_step(real, fake)
    g_step(fake)

    if i % 80 == 0:
        print("[%d/%d] Loss_D: %.4f  Loss_G: %.4f  D(x): %.4f  D(G(z)): %.4f  radius %.3f" % (
            i, num_iters, mean_of("d_loss"), mean_of("g_loss"), mean_of("d_x"), mean_of("d_g_z"),
            radius_of_samples()))

print("keys in history:", sorted(HISTORY), "points:", len(HISTORY["d_loss"]))
