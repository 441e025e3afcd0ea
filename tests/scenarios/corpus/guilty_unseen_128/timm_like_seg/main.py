# gradwatch-corpus: kind=retain-needless
# first-bad: 0
# notice: 60
import torch
torch.set_num_threads(1)
import torch.nn as nn
import torch.nn.functional as F

from scaler import NativeStep


class MiniUNet(nn.Module):
    def __init__(self, c=6):
        super().__init__()
        self.d1 = nn.Conv2d(1, c, 3, padding=1)
        self.d2 = nn.Conv2d(c, 2 * c, 3, stride=2, padding=1)
        self.up = nn.ConvTranspose2d(2 * c, c, 2, stride=2)
        self.out = nn.Conv2d(2 * c, 1, 1)

    def forward(self, x):
        a = F.relu(self.d1(x))
        b = F.relu(self.d2(a))
        return self.out(torch.cat([a, self.up(b)], 1))


def dice_bce(logit, mask):
    p = logit.sigmoid()
    inter = (p * mask).sum((1, 2, 3))
    dice = 1 - (2 * inter + 1) / (p.sum((1, 2, 3)) + mask.sum((1, 2, 3)) + 1)
    return dice.mean() + F.binary_cross_entropy_with_logits(logit, mask)


def blobs(n=8):
    yy, xx = torch.meshgrid(torch.arange(12.0), torch.arange(12.0), indexing="ij")
    c = torch.rand(n, 2, 1, 1) * 12
    mask = (((yy - c[:, 0]) ** 2 + (xx - c[:, 1]) ** 2) < 9).float()[:, None]
    return mask + 0.4 * torch.randn_like(mask), mask


torch.manual_seed(101)
net = MiniUNet()
opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
step = NativeStep(clip=1.0)
for update in range(500):
    img, mask = blobs()
    loss = dice_bce(net(img), mask)
    opt.zero_grad()
    norm = step(loss, opt, list(net.parameters()))
    if update % 100 == 0:
        print(update, loss.item(), norm.item())
