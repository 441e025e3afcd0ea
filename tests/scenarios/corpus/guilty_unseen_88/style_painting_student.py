# gradwatch-corpus: kind=second-backward
# holder: targets[name] | targets | style_penalty.__defaults__[0] | style_penalty.__defaults__ | want
# first-bad: 30
# notice: 0
#
# Homework 4, "texture transfer".  We have no GPU and no VGG, so the features come from a
# small conv net that first learns to tell textures apart (30 steps are the warm up,
# without style) and goes on being fine-tuned while the picture is painted.
#
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(11)
S = 16


def stripes(n, horizontal):
    k = torch.rand(n, 1, 1) * 2 + 1
    ph = torch.rand(n, 1, 1) * 6.28
    ramp = torch.linspace(0, 6.28, S)
    g = ramp.view(1, S, 1) if horizontal else ramp.view(1, 1, S)
    img = torch.sin(k * g + ph).expand(n, S, S)
    return (img + 0.1 * torch.randn(n, S, S)).unsqueeze(1)


def batch(n=8):
    x = torch.cat([stripes(n // 2, True), stripes(n // 2, False)])
    y = torch.tensor([0] * (n // 2) + [1] * (n // 2))
    return x, y


class Features(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 3, padding=1)
        self.conv2 = nn.Conv2d(6, 8, 3, stride=2, padding=1)
        self.fc = nn.Linear(8, 2)

    def forward(self, x):
        maps = {}
        maps["conv1"] = F.relu(self.conv1(x))
        maps["conv2"] = F.relu(self.conv2(maps["conv1"]))
        return maps, self.fc(maps["conv2"].mean((2, 3)))


def gram(f):
    b, c, h, w = f.shape
    f = f.reshape(b, c, h * w)
    return f @ f.transpose(1, 2) / (c * h * w)


style_image = stripes(1, True)
content_image = stripes(1, False)


def style_penalty(net, picture, targets={}):
    if not targets:
        maps, _ = net(style_image)
        for name, f in maps.items():
            targets[name] = gram(f)  # <- culprit
    maps, _ = net(picture)
    out = 0
    for name, want in targets.items():
        out = out + F.mse_loss(gram(maps[name]), want)  # <- culprit
    return out


net = Features()
picture = content_image.clone().requires_grad_(True)
opt = torch.optim.Adam([
    {"params": net.parameters(), "lr": 5e-3},
    {"params": [picture], "lr": 5e-2},
])

WARM_UP = 29
for i in range(300):
    x, y = batch()
    _, logits = net(x)
    loss = F.cross_entropy(logits, y)
    if i >= WARM_UP:
        maps, _ = net(picture)
        with torch.no_grad():
            keep, _ = net(content_image)
        loss = loss + F.mse_loss(maps["conv2"], keep["conv2"])
        loss = loss + 50.0 * style_penalty(net, picture)

    opt.zero_grad()
    loss.backward()  # <- culprit
    opt.step()
    with torch.no_grad():
        picture.clamp_(-1.5, 1.5)
    if i % 10 == 0:
        acc = (logits.argmax(1) == y).float().mean().item()
        print(f"step {i:3d}  loss {loss.item():.4f}  acc {acc:.2f}")

print("picture range:", picture.min().item(), picture.max().item())
