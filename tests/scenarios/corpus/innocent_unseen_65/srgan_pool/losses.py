import torch
from torch import nn


class ContentLoss(nn.Module):
    """Feature distance in a frozen random conv net; features are caught by hooks."""

    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.AvgPool2d(2), nn.Conv2d(8, 16, 3, padding=1), nn.ReLU()
        ).requires_grad_(False)
        self.caught = []
        for i in (1, 4):
            self.net[i].register_forward_hook(lambda m, args, out: self.caught.append(out))

    def features(self, x):
        self.net(x)
        out, self.caught = self.caught, []
        return out

    def forward(self, fake, real):
        return sum((a - b).pow(2).mean() for a, b in zip(self.features(fake), self.features(real)))


class ImagePool:
    def __init__(self, size):
        self.size, self.images = size, []

    def query(self, batch):
        out = []
        for img in batch:
            if len(self.images) < self.size:
                self.images.append(img)
            elif torch.rand(()) < 0.5:
                j = int(torch.randint(self.size, ()))
                img, self.images[j] = self.images[j], img
            out.append(img)
        return torch.stack(out)


def gradient_penalty(critic, real, fake):
    eps = torch.rand(real.size(0), 1, 1, 1)
    mix = (eps * real + (1 - eps) * fake).requires_grad_()
    (g,) = torch.autograd.grad(critic(mix).sum(), mix, create_graph=True)
    return (g.flatten(1).norm(dim=1) - 1).pow(2).mean()
