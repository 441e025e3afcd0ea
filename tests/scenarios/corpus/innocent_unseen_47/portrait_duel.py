# gradwatch-corpus: kind=none
"""Tiny GAN on 10x10 'portraits'; one pass of the judge serves both players."""
import torch
import torch.nn.functional as F
from torch import nn

PX, LATENT, BATCH, STEPS = 10, 12, 32, 120


def portraits(n, gen):
    yy, xx = torch.meshgrid(torch.linspace(-1, 1, PX), torch.linspace(-1, 1, PX), indexing="ij")
    cx = 0.3 * torch.randn(n, 1, 1, generator=gen)
    cy = 0.3 * torch.randn(n, 1, 1, generator=gen)
    r = 0.5 + 0.2 * torch.rand(n, 1, 1, generator=gen)
    face = torch.sigmoid(12 * (r - ((xx - cx) ** 2 + (yy - cy) ** 2).sqrt()))
    return (2 * face - 1).flatten(1)


def dense(*sizes, last=None):
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers += [nn.Linear(a, b), nn.LeakyReLU(0.2)]
    layers.pop()
    if last is not None:
        layers.append(last)
    return nn.Sequential(*layers)


class Duel:
    def __init__(self):
        self.artist = dense(LATENT, 48, 64, PX * PX, last=nn.Tanh())
        self.judge = dense(PX * PX, 64, 32, 1)
        self.artist_opt = torch.optim.Adam(self.artist.parameters(), lr=1e-3, betas=(0.5, 0.99))
        self.judge_opt = torch.optim.Adam(self.judge.parameters(), lr=1e-3, betas=(0.5, 0.99))

    def losses(self, real):
        fake = self.artist(torch.randn(len(real), LATENT))
        on_fake = self.judge(fake)
        on_real = self.judge(real)
        yes, no = torch.ones_like(on_real), torch.zeros_like(on_fake)
        judge_loss = (F.binary_cross_entropy_with_logits(on_real, 0.9 * yes)
                      + F.binary_cross_entropy_with_logits(on_fake, no))
        artist_loss = F.binary_cross_entropy_with_logits(on_fake, yes)
        return judge_loss, artist_loss

    def round(self, real):
        judge_loss, artist_loss = self.losses(real)
        self.judge_opt.zero_grad()
        self.artist_opt.zero_grad()
        judge_loss.backward(retain_graph=True, inputs=list(self.judge.parameters()))
        artist_loss.backward(inputs=list(self.artist.parameters()))
        self.judge_opt.step()
        self.artist_opt.step()
        return judge_loss.item(), artist_loss.item()

    @torch.no_grad()
    def gallery(self, n=3):
        art = self.artist(torch.randn(n, LATENT)).view(n, PX, PX)
        for row in range(0, PX, 2):
            print("   ".join("".join("#" if v > 0 else "." for v in img[row].tolist()) for img in art))


def main():
    torch.manual_seed(40)
    gen = torch.Generator().manual_seed(40)
    duel = Duel()
    scores = []
    for k in range(STEPS):
        scores.append(duel.round(portraits(BATCH, gen)))
        if (k + 1) % 30 == 0:
            j, a = (sum(col) / 30 for col in zip(*scores[-30:]))
            print(f"round {k + 1:4d}  judge {j:.3f}  artist {a:.3f}")
    duel.gallery()


if __name__ == "__main__":
    main()
