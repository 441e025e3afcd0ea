# gradwatch-corpus: kind=second-backward
# first-bad: 1
import torch
from torch import nn
import torch.nn.functional as F


class GlyphEncoder(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.conv = nn.Conv2d(1, 8, 3, stride=2, padding=1)
        self.proj = nn.Linear(8 * 6 * 6, dim)

    def forward(self, img):
        h = F.leaky_relu(self.conv(img), 0.1)
        return F.normalize(self.proj(h.flatten(1)), dim=-1)


class PrototypeBank:
    """Class prototypes from a fixed support set, renewed every few steps."""

    def __init__(self, encoder, support, labels, classes, every=4):
        self.encoder = encoder
        self.support = support
        self.labels = labels
        self.classes = classes
        self.every = every
        self.calls = 0
        self.current = None

    def get(self):
        if self.calls % self.every == 0:
            z = self.encoder(self.support)
            onehot = F.one_hot(self.labels, self.classes).float()
            self.current = (onehot.t() @ z) / onehot.sum(0).unsqueeze(1)  # <- culprit
        self.calls += 1
        return self.current


def glyphs(templates, n, gen):
    labels = torch.randint(0, len(templates), (n,), generator=gen)
    noise = 0.4 * torch.randn(n, 1, 12, 12, generator=gen)
    return templates[labels] + noise, labels


def main():
    torch.manual_seed(33)
    gen = torch.Generator().manual_seed(1)
    templates = torch.randn(10, 1, 12, 12, generator=gen)
    encoder = GlyphEncoder()
    support_labels = torch.arange(10).repeat(3)
    support = templates[support_labels] + 0.4 * torch.randn(30, 1, 12, 12, generator=gen)
    bank = PrototypeBank(encoder, support, support_labels, classes=10)
    opt = torch.optim.Adam(encoder.parameters(), lr=1e-3)
    acc_log = []
    for step in range(400):
        img, label = glyphs(templates, 32, gen)
        z = encoder(img)
        logits = 8.0 * z @ bank.get().t()
        loss = F.cross_entropy(logits, label)
        opt.zero_grad()
        loss.backward()
        opt.step()
        acc_log.append((logits.argmax(1) == label).float().mean().item())
        if step % 100 == 99:
            print(step + 1, sum(acc_log[-50:]) / 50)


if __name__ == "__main__":
    main()
