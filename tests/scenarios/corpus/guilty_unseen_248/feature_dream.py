# gradwatch-corpus: kind=graph-chain
# holder: img
# first-bad: 26
# "Deep dream" on a little CNN: first train it for a moment on synthetic textures,
# then maximise one channel of conv3 with gradient ascent on the picture.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(21)
torch.set_num_threads(1)


class TextureNet(nn.Module):
    def __init__(self, num_classes=4):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 12, 5, padding=2)
        self.conv2 = nn.Conv2d(12, 24, 3, padding=1)
        self.conv3 = nn.Conv2d(24, 32, 3, padding=1)
        self.fc = nn.Linear(32, num_classes)

    def features(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        return self.conv3(x)

    def forward(self, x):
        x = F.relu(self.features(x))
        return self.fc(x.mean(dim=(2, 3)))


def make_textures(n, size=32):
    labels = torch.randint(0, 4, (n,))
    yy, xx = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    images = torch.empty(n, 3, size, size)
    for i in range(n):
        k = 0.3 + 0.2 * labels[i].item()
        phase = torch.rand(3) * 6.28
        for c in range(3):
            images[i, c] = torch.sin(k * xx + phase[c]) * torch.cos(k * yy)
    return images + 0.1 * torch.randn_like(images), labels


def total_variation(x):
    dh = (x[:, :, 1:, :] - x[:, :, :-1, :]).abs().mean()
    dw = (x[:, :, :, 1:] - x[:, :, :, :-1]).abs().mean()
    return dh + dw


def pretrain(net, steps=25):
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    for i in range(steps):
        x, y = make_textures(16)
        loss = F.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print("pretrain loss: %.3f" % loss.item())


def dream(net, channel, n_iters=120, lr=0.8, momentum=0.7):
    net.eval()
    for p in net.parameters():
        p.requires_grad_(False)

    img = torch.randn(1, 3, 48, 48) * 0.1
    img.requires_grad_(True)
    velocity = torch.zeros_like(img)

    for i in range(n_iters):
        act = net.features(img)[0, channel]
        tv = total_variation(img)
        score = act.mean() - 0.2 * tv
        g = torch.autograd.grad(score, img)[0]
        g = g / (g.norm() + 1e-8)
        velocity = momentum * velocity + g
        img = torch.clamp(img + lr * velocity, -2.0, 2.0)  # <- culprit

        if (i + 1) % 20 == 0:
            print("iter {:3d}  activation {:.4f}  tv {:.4f}".format(i + 1, act.mean().item(), tv.item()))

    return img.detach()


if __name__ == "__main__":
    net = TextureNet()
    pretrain(net)
    picture = dream(net, channel=5)
    print(picture.shape, picture.std().item())
