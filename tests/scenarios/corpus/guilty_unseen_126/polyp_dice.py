# gradwatch-corpus: kind=crashed
# holder: masks | keep
# first-bad: 0
# notice: 0
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(50)


class SegNet(nn.Module):
    def __init__(self, thr=0.5):
        super().__init__()
        self.down = nn.Conv2d(3, 6, 3, stride=2, padding=1)
        self.up = nn.ConvTranspose2d(6, 1, 2, stride=2)
        self.thr = thr

    def forward(self, x):
        return self.up(torch.relu(self.down(x)))

    def predict_mask(self, x):
        prob = torch.sigmoid(self(x))
        return self.clean(prob)

    def clean(self, prob):
        keep = prob > self.thr  # <- culprit
        keep = keep & (keep.flatten(1).float().mean(1) > 0.0).view(-1, 1, 1, 1)
        return keep.to(prob.dtype)  # <- culprit


class DiceLoss(nn.Module):
    def __init__(self, smooth=1.0):
        super().__init__()
        self.smooth = smooth

    def forward(self, inputs, targets):
        inputs, targets = inputs.reshape(-1), targets.reshape(-1)
        inter = (inputs * targets).sum()
        return 1 - (2 * inter + self.smooth) / (inputs.sum() + targets.sum() + self.smooth)


def phantom(n):
    yy, xx = torch.meshgrid(torch.arange(12), torch.arange(12), indexing="ij")
    c = torch.randint(3, 9, (n, 2, 1, 1))
    m = ((yy - c[:, 0]) ** 2 + (xx - c[:, 1]) ** 2 < 9).float().unsqueeze(1)
    return m + 0.3 * torch.randn(n, 3, 12, 12), m


net, dice = SegNet(), DiceLoss()
optim = torch.optim.NAdam(net.parameters(), lr=3e-3)
for epoch in range(20):
    epoch_loss = 0.0
    for _ in range(15):
        scans, truth = phantom(4)
        masks = net.predict_mask(scans)
        loss = dice(masks, truth)
        optim.zero_grad()
        loss.backward()
        optim.step()
        epoch_loss += loss.item()
    print(epoch, "dice", 1 - epoch_loss / 15)
