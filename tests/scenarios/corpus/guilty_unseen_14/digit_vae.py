# gradwatch-corpus: kind=inplace-modified
# holder: self.mean | prior.mean | self.second | prior.second
# first-bad: 1
"""VAE on seven-segment digits. Instead of the KL of each sample I match the
running moments of the aggregate posterior to N(0, 1), as our tutor proposed."""
import torch
from torch import nn
from torch.nn import functional as F

SEGMENTS = {
    0: "abcdef", 1: "bc", 2: "abged", 3: "abgcd", 4: "fgbc",
    5: "afgcd", 6: "afgedc", 7: "abc", 8: "abcdefg", 9: "abcdfg",
}
H, W = 11, 7


def segment_image(digit):
    img = torch.zeros(H, W)
    on = SEGMENTS[digit]
    for s, (r, c) in {"a": (0, slice(1, 6)), "g": (5, slice(1, 6)), "d": (10, slice(1, 6))}.items():
        if s in on:
            img[r, c] = 1
    for s, (r, c) in {"f": (slice(1, 5), 0), "b": (slice(1, 5), 6),
                      "e": (slice(6, 10), 0), "c": (slice(6, 10), 6)}.items():
        if s in on:
            img[r, c] = 1
    return img.flatten()


DIGITS = torch.stack([segment_image(d) for d in range(10)])


def get_batch(n):
    labels = torch.randint(10, (n,))
    x = DIGITS[labels]
    flip = torch.rand_like(x) < 0.03
    return torch.where(flip, 1 - x, x), labels


class VAE(nn.Module):
    def __init__(self, latent=4, hidden=64):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(H * W, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.mu = nn.Linear(hidden, latent)
        self.logvar = nn.Linear(hidden, latent)
        self.dec = nn.Sequential(nn.Linear(latent, hidden), nn.ReLU(), nn.Linear(hidden, H * W))

    def forward(self, x):
        h = self.enc(x)
        mu, logvar = self.mu(h), self.logvar(h).clamp(-6, 3)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), z


class RunningMoments:
    """moving average of the first two moments of z"""

    def __init__(self, latent, momentum=0.9):
        self.momentum = momentum
        self.mean = torch.zeros(latent)
        self.second = torch.ones(latent)

    def update(self, z):
        m = self.momentum
        self.mean = m * self.mean + (1 - m) * z.mean(0)  # <- culprit
        self.second = m * self.second + (1 - m) * z.pow(2).mean(0)  # <- culprit

    def penalty(self):
        return self.mean.pow(2).sum() + (self.second - 1).pow(2).sum()


def loss_function(logits, x, z, prior, weight):
    rec = F.binary_cross_entropy_with_logits(logits, x, reduction="sum") / len(x)
    prior.update(z)
    return rec + weight * prior.penalty(), rec


def train(model, prior, optimizer, steps, batch_size, weight):
    for step in range(steps):
        x, _ = get_batch(batch_size)
        logits, z = model(x)
        loss, rec = loss_function(logits, x, z, prior, weight)
        optimizer.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        optimizer.step()
        if step % 50 == 0:
            print("step %d  rec %.3f  penalty %.3f" % (step, rec.item(), prior.penalty().item()))


def show(img):
    for row in img.view(H, W):
        print("".join("#" if v > 0.5 else "." for v in row.tolist()))


def main():
    torch.manual_seed(31)
    latent = 4
    model = VAE(latent)
    prior = RunningMoments(latent)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    train(model, prior, optimizer, steps=400, batch_size=64, weight=5.0)
    with torch.no_grad():
        show(torch.sigmoid(model.dec(torch.randn(1, latent)))[0])


if __name__ == "__main__":
    main()
