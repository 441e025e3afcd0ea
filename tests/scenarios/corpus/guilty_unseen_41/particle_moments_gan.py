# gradwatch-corpus: kind=graph-chain
# holder: moments["mean"] | moments["second"] | moments
# first-bad: 1
# Affine generator for detector hits, adversarial loss plus matching of running moments.
import torch
import torch.nn.functional as F
from torch import nn

DIM = 4
STEPS = 90
BATCH = 64
MOMENTUM = 0.9
LAMBDA_MOM = 2.0


def detector_hits(n, mix):
    return torch.randn(n, DIM) @ mix + torch.tensor([1.0, -0.5, 0.25, 2.0])


class AffineGenerator(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.shift = nn.Parameter(torch.zeros(dim))
        self.scale = nn.Parameter(0.5 * torch.eye(dim))

    def forward(self, z):
        return torch.addmm(self.shift, z, self.scale)


def make_disc():
    return nn.Sequential(
        nn.Linear(DIM, 32), nn.LeakyReLU(0.2),
        nn.Linear(32, 32), nn.LeakyReLU(0.2),
        nn.Linear(32, 1),
    )


def blend(old, new, m=MOMENTUM):
    return new if old is None else m * old + (1 - m) * new  # <- culprit


def train_disc(disc, opt, real, fake):
    logits_r, logits_f = disc(real), disc(fake)
    loss = F.softplus(-logits_r).mean() + F.softplus(logits_f).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


def train_gen(gen, disc, opt, moments, target):
    fake = gen(torch.randn(BATCH, DIM))
    moments["mean"] = blend(moments["mean"], fake.mean(0))  # <- culprit
    moments["second"] = blend(moments["second"], fake.pow(2).mean(0))  # <- culprit
    adv = F.softplus(-disc(fake)).mean()
    mom = F.mse_loss(moments["mean"], target["mean"]) + 0.1 * F.mse_loss(moments["second"], target["second"])
    loss = adv + LAMBDA_MOM * mom
    opt.zero_grad()
    loss.backward(retain_graph=True)  # <- culprit
    opt.step()
    return adv.item(), mom.item()


def main():
    torch.manual_seed(2)
    mix = torch.randn(DIM, DIM) / 2
    sample = detector_hits(20000, mix)
    target = {"mean": sample.mean(0), "second": sample.pow(2).mean(0)}
    moments = {"mean": None, "second": None}

    gen, disc = AffineGenerator(DIM), make_disc()
    opt_g = torch.optim.Adam(gen.parameters(), lr=2e-2, betas=(0.5, 0.99))
    opt_d = torch.optim.Adam(disc.parameters(), lr=2e-3, betas=(0.5, 0.99))

    for step in range(STEPS):
        with torch.no_grad():
            fake = gen(torch.randn(BATCH, DIM))
        d_loss = train_disc(disc, opt_d, detector_hits(BATCH, mix), fake)
        adv, mom = train_gen(gen, disc, opt_g, moments, target)
        if step % 20 == 0:
            print(f"{step:4d} | disc {d_loss:.3f} | adv {adv:.3f} | moments {mom:.4f}")


main()
