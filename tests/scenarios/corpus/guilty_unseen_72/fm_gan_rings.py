# gradwatch-corpus: kind=second-backward
# holder: self.real_feats | gan.real_feats | fr
# first-bad: 30
# notice: 1
"""GAN on ring-shaped data with a feature matching term that is switched on after a warm-up."""
import math
import torch
import torch.nn as nn
import torch.nn.functional as F
from collections import defaultdict

torch.set_num_threads(1)
torch.manual_seed(99)

opts = dict(nz=8, batch=64, niter=200, lr=2e-4, betas=(0.5, 0.999), fm_start=30, lambda_fm=10.0, print_every=10)


def sample_rings(n):
    r = 1.0 + 0.5 * torch.randint(0, 2, (n, 1))
    a = 2 * math.pi * torch.rand(n, 1)
    return torch.cat([r * a.cos(), r * a.sin()], 1) + 0.03 * torch.randn(n, 2)


def weights_init(m):
    if isinstance(m, nn.Linear):
        nn.init.normal_(m.weight, 0.0, 0.1)
        nn.init.zeros_(m.bias)


class Generator(nn.Module):
    def __init__(self, nz, h=48):
        super().__init__()
        self.main = nn.Sequential(nn.Linear(nz, h), nn.BatchNorm1d(h), nn.ReLU(),
                                  nn.Linear(h, h), nn.BatchNorm1d(h), nn.ReLU(), nn.Linear(h, 2))

    def forward(self, z):
        return self.main(z)


class Discriminator(nn.Module):
    def __init__(self, h=48):
        super().__init__()
        self.blocks = nn.ModuleList([nn.Linear(2, h), nn.Linear(h, h), nn.Linear(h, h)])
        self.out = nn.Linear(h, 1)

    def forward(self, x):
        feats = []
        for b in self.blocks:
            x = F.leaky_relu(b(x), 0.2)
            feats.append(x)
        return self.out(x).squeeze(1), feats


class FeatureMatchingGAN:
    def __init__(self, opt):
        self.opt = opt
        self.netG = Generator(opt["nz"])
        self.netD = Discriminator()
        self.netG.apply(weights_init)
        self.netD.apply(weights_init)
        self.optG = torch.optim.Adam(self.netG.parameters(), lr=opt["lr"], betas=opt["betas"])
        self.optD = torch.optim.Adam(self.netD.parameters(), lr=opt["lr"], betas=opt["betas"])
        self.bce = nn.BCEWithLogitsLoss()
        self.real_feats = None
        self.iter = 0

    def set_input(self, real):
        self.real = real
        self.fake = self.netG(torch.randn(len(real), self.opt["nz"]))

    def backward_D(self):
        pred_real, self.real_feats = self.netD(self.real)  # <- culprit
        pred_fake, _ = self.netD(self.fake.detach())
        loss = self.bce(pred_real, torch.full_like(pred_real, 0.9)) + self.bce(pred_fake, torch.zeros_like(pred_fake))
        loss.backward()
        return {"D": loss.item(), "D(x)": pred_real.sigmoid().mean().item(), "D(G(z))": pred_fake.sigmoid().mean().item()}

    def feature_matching(self, fake_feats):
        total = 0.0
        for ff, fr in zip(fake_feats, self.real_feats):
            total = total + F.l1_loss(ff.mean(0), fr.mean(0))  # <- culprit
        return total / len(fake_feats)

    def backward_G(self):
        pred, feats = self.netD(self.fake)
        loss = self.bce(pred, torch.ones_like(pred))
        stats = {"G": loss.item()}
        if self.iter >= self.opt["fm_start"]:
            fm = self.feature_matching(feats)
            loss = loss + self.opt["lambda_fm"] * fm
            stats["FM"] = fm.item()
        loss.backward()
        return stats

    def optimize_parameters(self):
        stats = {}
        self.optD.zero_grad()
        stats.update(self.backward_D())
        self.optD.step()
        self.optG.zero_grad()
        stats.update(self.backward_G())
        self.optG.step()
        self.iter += 1
        return stats


def main():
    gan = FeatureMatchingGAN(opts)
    curves = defaultdict(list)
    for i in range(opts["niter"]):
        gan.set_input(sample_rings(opts["batch"]))
        for k, v in gan.optimize_parameters().items():
            curves[k].append(v)
        if i % opts["print_every"] == 0:
            print(f"[{i}/{opts['niter']}] " + " ".join(f"{k} {v[-1]:.4f}" for k, v in curves.items()))
    with torch.no_grad():
        radius = gan.netG.eval()(torch.randn(512, opts["nz"])).norm(dim=1)
    print("radius mean/std", radius.mean().item(), radius.std().item())


if __name__ == "__main__":
    main()
