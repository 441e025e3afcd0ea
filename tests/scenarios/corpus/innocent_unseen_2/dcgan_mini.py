# gradwatch-corpus: kind=none
import torch, torch.nn as nn
from torch.nn.functional import binary_cross_entropy_with_logits as bce

torch.manual_seed(3)
G = nn.Sequential(nn.ConvTranspose2d(8, 16, 4), nn.BatchNorm2d(16), nn.ReLU(), nn.ConvTranspose2d(16, 1, 4, 2, 1), nn.Tanh())
D = nn.Sequential(nn.Conv2d(1, 16, 4, 2, 1), nn.LeakyReLU(.2), nn.Conv2d(16, 1, 4), nn.Flatten(0))
og, od = torch.optim.Adam(G.parameters(), 2e-4, (.5, .999)), torch.optim.Adam(D.parameters(), 2e-4, (.5, .999))
fixed = torch.randn(4, 8, 1, 1)
hist = {"d": [], "g": []}
snaps = []


def real(n):
    c = torch.linspace(-1, 1, 8)
    r = torch.rand(n, 1, 1, 1) + .3
    return 1 - 2 * ((c[None, None, :, None] ** 2 + c[None, None, None] ** 2) > r).float()


for i in range(130):
    x = real(16)
    fake = G(torch.randn(16, 8, 1, 1))
    od.zero_grad()
    ld = bce(D(x), torch.full((16,), .9)) + bce(D(fake.detach()), torch.zeros(16))
    ld.backward()
    od.step()
    og.zero_grad()
    lg = bce(D(fake), torch.ones(16))
    lg.backward()
    og.step()
    hist["d"].append(ld.detach())
    hist["g"].append(lg.detach())
    if i % 26 == 0:
        with torch.no_grad():
            snaps.append(G(fixed))
        print(i, "D %.3f G %.3f" % (ld, lg))
print(torch.stack(hist["d"]).mean(), torch.stack(hist["g"]).mean(), len(snaps))
