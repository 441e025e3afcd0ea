# gradwatch-corpus: kind=memory-climb
# first-bad: 1
import torch
from torch import nn
from torch.nn import functional as F


class FeatureTap:
    """Copies of a layer's output, for the projection drawn after training."""

    def __init__(self, layer, name):
        self.name = name
        self.features = []
        self.handle = layer.register_forward_hook(self.hook)

    def hook(self, module, inputs, output):
        if module.training:
            self.features.append(output.detach().flatten(1).clone())  # <- culprit

    def project(self, n=200):
        z = torch.cat(self.features[-8:])[:n]
        z = z - z.mean(0)
        _, _, v = torch.pca_lowrank(z, 2)
        return z @ v[:, :2]


class TextureNet(nn.Module):
    def __init__(self, classes=5):
        super().__init__()
        self.stem = nn.Conv2d(1, 8, 5, padding=2)
        self.block = nn.Conv2d(8, 16, 3, padding=1, stride=2)
        self.fc = nn.Linear(16, classes)

    def forward(self, x):
        x = F.relu(self.stem(x))
        x = F.relu(self.block(x))
        return self.fc(x.mean((2, 3)))


def textures(n, size=16):
    y = torch.randint(0, 5, (n,))
    t = torch.arange(size).float()
    f = (y + 1).float()[:, None, None] * 0.45
    phase = torch.rand(n, 1, 1) * 6.28
    img = torch.sin(f * t[None, :, None] + phase) * torch.cos(0.5 * f * t[None, None, :])
    return (img + 0.4 * torch.randn(n, size, size))[:, None], y


def main():
    torch.manual_seed(144)
    net = TextureNet()
    tap = FeatureTap(net.block, "block")
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    xv, yv = textures(200)
    hits, seen = 0, 0
    for step in range(450):
        x, y = textures(24)
        logits = net(x)
        loss = F.cross_entropy(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        hits += (logits.argmax(1) == y).sum().item()
        seen += len(y)
        if step % 75 == 74:
            net.eval()
            with torch.no_grad():
                acc = (net(xv).argmax(1) == yv).float().mean().item()
            net.train()
            print(f"{step + 1}: loss {loss.item():.4f} train {hits / seen:.3f} val {acc:.3f}")
            hits = seen = 0
    xy = tap.project()
    print(tap.name, "spread", [round(s, 3) for s in xy.std(0).tolist()])
    tap.handle.remove()


if __name__ == "__main__":
    main()
