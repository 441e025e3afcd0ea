# gradwatch-corpus: kind=crashed
# holder: pred
# first-bad: 0
# notice: 0
# Segmentation of cells with DiceLoss. Images are 16x16 here, in reality 256
import torch
import torch.nn as nn
torch.set_num_threads(1)
torch.manual_seed(77)


class DiceLoss(nn.Module):
    def __init__(self, smooth=1.0, threshold=0.5):
        super(DiceLoss, self).__init__()
        self.smooth = smooth
        self.threshold = threshold

    def forward(self, inputs, targets):
        inputs = torch.sigmoid(inputs)
        pred = (inputs > self.threshold).float()  # <- culprit
        pred = pred.view(pred.size(0), -1)
        targets = targets.view(targets.size(0), -1)
        intersection = (pred * targets).sum(1)
        dice = (2. * intersection + self.smooth) / (pred.sum(1) + targets.sum(1) + self.smooth)
        return 1 - dice.mean()


class DoubleConv(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.c = nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.ReLU(inplace=True),
                               nn.Conv2d(o, o, 3, padding=1), nn.ReLU(inplace=True))

    def forward(self, x):
        return self.c(x)


class UNetTiny(nn.Module):
    def __init__(self):
        super().__init__()
        self.d1 = DoubleConv(1, 4)
        self.pool = nn.MaxPool2d(2)
        self.d2 = DoubleConv(4, 8)
        self.up = nn.ConvTranspose2d(8, 4, 2, 2)
        self.u1 = DoubleConv(8, 4)
        self.out = nn.Conv2d(4, 1, 1)

    def forward(self, x):
        a = self.d1(x)
        b = self.up(self.d2(self.pool(a)))
        return self.out(self.u1(torch.cat([a, b], 1)))


def fake_cells(n):
    yy, xx = torch.meshgrid(torch.arange(16.), torch.arange(16.), indexing='ij')
    c = torch.rand(n, 2) * 10 + 3
    m = (((yy - c[:, 0, None, None]) ** 2 + (xx - c[:, 1, None, None]) ** 2) < 9).float().unsqueeze(1)
    return m + 0.3 * torch.randn_like(m), m


net = UNetTiny()
criterion = DiceLoss()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(30):
    img, mask = fake_cells(6)
    optimizer.zero_grad()
    loss = criterion(net(img), mask)
    loss.backward()
    optimizer.step()
    print(epoch, loss.item())
