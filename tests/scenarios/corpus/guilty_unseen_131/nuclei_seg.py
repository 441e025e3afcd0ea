# gradwatch-corpus: kind=crashed
# holder: m1
# first-bad: 75
# notice: 0
import torch
torch.set_num_threads(1)
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(7)


def make_cells(n, size=24):
    yy, xx = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    imgs, masks = [], []
    for _ in range(n):
        cx, cy = torch.randint(5, size - 5, (2,)).tolist()
        r = torch.randint(3, 6, (1,)).item()
        m = ((xx - cx) ** 2 + (yy - cy) ** 2 < r * r).float()
        imgs.append(0.7 * m + 0.3 * torch.rand(size, size))
        masks.append(m)
    return torch.stack(imgs)[:, None], torch.stack(masks)[:, None]


def double_conv(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.ReLU(inplace=True),
                         nn.Conv2d(o, o, 3, padding=1), nn.ReLU(inplace=True))


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.d1, self.d2 = double_conv(1, 6), double_conv(6, 12)
        self.u1 = double_conv(18, 6)
        self.out = nn.Conv2d(6, 1, 1)

    def forward(self, x):
        a = self.d1(x)
        b = self.d2(F.max_pool2d(a, 2))
        b = F.interpolate(b, scale_factor=2, mode="nearest")
        return self.out(self.u1(torch.cat([a, b], 1)))


class SoftDiceLoss(nn.Module):
    def __init__(self, smooth=1.0):
        super().__init__()
        self.smooth = smooth

    def forward(self, logits, targets):
        num = targets.size(0)
        probs = torch.sigmoid(logits)
        m1 = (probs > 0.5).float().view(num, -1)  # <- culprit
        m2 = targets.view(num, -1)
        inter = (m1 * m2).sum(1)
        score = 2. * (inter + self.smooth) / (m1.sum(1) + m2.sum(1) + self.smooth)
        return 1 - score.mean()


X, Y = make_cells(120)
model = UNet()
opt = torch.optim.Adam(model.parameters(), 2e-3)
bce, dice = nn.BCEWithLogitsLoss(), SoftDiceLoss()

for epoch in range(20):
    # warm up with bce, then fine tune on the metric of the competition
    criterion = bce if epoch < 5 else dice
    perm = torch.randperm(len(X))
    for k in range(0, len(X), 8):
        idx = perm[k:k + 8]
        out = model(X[idx])
        loss = criterion(out, Y[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
    print("epoch", epoch, type(criterion).__name__, loss.item())
