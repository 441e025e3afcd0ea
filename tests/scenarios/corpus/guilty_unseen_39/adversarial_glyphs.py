# gradwatch-corpus: kind=graph-chain
# holder: x_adv
# first-bad: 1
"""Momentum iterative FGSM against a small frozen glyph classifier."""
import torch
import torch.nn as nn
import torch.nn.functional as F

SIZE = 16
N_CLASSES = 5


def draw(label, jitter):
    img = torch.zeros(SIZE, SIZE)
    a, b = 3 + jitter, 12 + jitter
    if label == 0:
        img[a:b, 7:9] = 1
    elif label == 1:
        img[7:9, a:b] = 1
    elif label == 2:
        img[range(a, b), range(a, b)] = 1
    elif label == 3:
        img[a:b, a] = 1
        img[a:b, b - 1] = 1
        img[a, a:b] = 1
        img[b - 1, a:b] = 1
    else:
        img[a:b, 7:9] = 1
        img[7:9, a:b] = 1
    return img


def get_batch(n):
    y = torch.randint(0, N_CLASSES, (n,))
    x = torch.stack([draw(int(c), int(torch.randint(-2, 3, (1,)))) for c in y])
    x = x + 0.05 * torch.randn_like(x)
    return x.unsqueeze(1), y


class Victim(nn.Module):
    """Random convolutional features, read-out solved by least squares."""

    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 12, 3, padding=1), nn.ReLU(), nn.AvgPool2d(2),
            nn.Conv2d(12, 24, 3, padding=1), nn.ReLU(), nn.AvgPool2d(2),
            nn.Flatten(),
        )
        self.readout = nn.Linear(24 * (SIZE // 4) ** 2, N_CLASSES)

    @torch.no_grad()
    def solve(self, x, y, ridge=1e-2, scale=6.0):
        f = self.features(x)
        f = torch.cat([f, torch.ones(len(f), 1)], 1)
        t = scale * F.one_hot(y, N_CLASSES).float()
        w = torch.linalg.solve(f.T @ f + ridge * torch.eye(f.shape[1]), f.T @ t)
        self.readout.weight.copy_(w[:-1].T)
        self.readout.bias.copy_(w[-1])

    def forward(self, x):
        return self.readout(self.features(x))


def accuracy(net, x, y):
    with torch.no_grad():
        return (net(x).argmax(1) == y).float().mean().item()


def attack(net, images, labels, eps=0.25, n_steps=80, mu=0.9):
    alpha = eps / n_steps
    momentum = torch.zeros_like(images)
    x_adv = images.clone().requires_grad_(True)
    for i in range(n_steps):
        x_adv = x_adv + alpha * momentum.sign()  # <- culprit
        x_adv.retain_grad()
        loss = F.cross_entropy(net(x_adv), labels)
        loss.backward()
        g = x_adv.grad
        momentum = mu * momentum + g / g.abs().mean(dim=(1, 2, 3), keepdim=True).clamp(min=1e-12)
        if i % 16 == 0:
            print(f"  step {i:2d}  ce {loss.item():.4f}  acc {accuracy(net, x_adv, labels):.2f}")
    return x_adv.detach()


def main():
    torch.manual_seed(3)
    net = Victim()
    net.solve(*get_batch(500))
    net.eval()
    for p in net.parameters():
        p.requires_grad = False

    x, y = get_batch(48)
    print("clean accuracy:", accuracy(net, x, y))
    adv = attack(net, x, y)
    print("robust accuracy:", accuracy(net, adv, y))
    print("max perturbation: %.3f" % (adv - x).abs().max().item())


main()
