# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
import torch

from images import lowres_pairs
from models import Generator, Discriminator
from engine import train_one_epoch, psnr


def main():
    torch.manual_seed(17)
    torch.set_num_threads(1)
    G = Generator(channels=16)
    D = Discriminator(channels=12)
    opt_G = torch.optim.Adam(G.parameters(), lr=2e-4, betas=(0.5, 0.999))
    opt_D = torch.optim.Adam(D.parameters(), lr=1e-4, betas=(0.5, 0.999))

    val_lr, val_hr = lowres_pairs(8)
    for epoch in range(4):
        log = train_one_epoch(G, D, opt_G, opt_D, steps=30, batch_size=8, epoch=epoch)
        G.eval()
        with torch.no_grad():
            score = psnr(G(val_lr), val_hr)
        print("epoch %d  d %.4f  g %.4f  psnr %.2f dB" % (epoch, log["d"], log["g"], score))


if __name__ == "__main__":
    main()
