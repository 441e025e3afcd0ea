# gradwatch-corpus: kind=graph-held
# holder: activation["bottleneck"] | activation
# first-bad: 1
# Find roads in map tiles - tiny U-Net, looking at the bottleneck with a hook
from collections import defaultdict

import torch
import torch.nn as nn

torch.manual_seed(8)

activation = defaultdict(list)


def get_activation(name):
    def hook(model, input, output):
        activation[name].append(output)  # <- culprit
    return hook


class MiniUNet(nn.Module):
    def __init__(self, ch=6):
        super().__init__()
        self.down = nn.Sequential(nn.Conv2d(3, ch, 3, padding=1), nn.ReLU())
        self.pool = nn.MaxPool2d(2)
        self.bottleneck = nn.Sequential(nn.Conv2d(ch, ch * 2, 3, padding=1), nn.ReLU())
        self.up = nn.ConvTranspose2d(ch * 2, ch, 2, stride=2)
        self.out = nn.Conv2d(ch * 2, 1, 1)

    def forward(self, x):
        d = self.down(x)
        b = self.bottleneck(self.pool(d))
        u = self.up(b)
        return self.out(torch.cat([u, d], dim=1))


class DiceLoss(nn.Module):
    def __init__(self, smooth=1.0):
        super().__init__()
        self.smooth = smooth

    def forward(self, logits, mask):
        p = torch.sigmoid(logits).flatten(1)
        m = mask.flatten(1)
        inter = (p * m).sum(1)
        dice = (2 * inter + self.smooth) / (p.sum(1) + m.sum(1) + self.smooth)
        return 1 - dice.mean()


def tile(n=4, size=24):
    img = torch.rand(n, 3, size, size) * 0.4
    mask = torch.zeros(n, 1, size, size)
    for k in range(n):
        r = torch.randint(2, size - 2, (1,)).item()
        if torch.rand(1).item() < 0.5:
            mask[k, 0, r:r + 2, :] = 1
        else:
            mask[k, 0, :, r:r + 2] = 1
    return img + 0.5 * mask, mask


model = MiniUNet()
model.bottleneck.register_forward_hook(get_activation("bottleneck"))
dice = DiceLoss()
bce = nn.BCEWithLogitsLoss()
opt = torch.optim.Adam(model.parameters(), lr=3e-3)

for step in range(100):
    img, mask = tile()
    logits = model(img)
    loss = dice(logits, mask) + bce(logits, mask)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 20 == 0:
        last = activation["bottleneck"][-1]
        dead = (last == 0).float().mean().item()
        print(f"step {step:3d} loss {loss.item():.4f} dead units {dead:.2%}")

first = activation["bottleneck"][0].mean().item()
final = activation["bottleneck"][-1].mean().item()
print(f"bottleneck mean went from {first:.4f} to {final:.4f}")
