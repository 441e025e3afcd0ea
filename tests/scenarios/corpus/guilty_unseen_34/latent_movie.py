# gradwatch-corpus: kind=memory-climb
# holder: self.frames | recorder.frames | movie.frames
# first-bad: 1
# notice: 80
"""Autoencoder on random shapes; the reconstruction is filmed while it learns."""
import torch
import torch.nn as nn
import torch.nn.functional as F

SIDE = 32
BATCH = 80
ITERS = 180


def draw_batch(n, gen):
    yy, xx = torch.meshgrid(torch.arange(SIDE), torch.arange(SIDE), indexing="ij")
    c = torch.rand(n, 2, 1, 1, generator=gen) * SIDE
    r = torch.rand(n, 1, 1, generator=gen) * 6 + 3
    d = ((xx - c[:, 0]) ** 2 + (yy - c[:, 1]) ** 2).sqrt()
    return torch.sigmoid(r - d)


class Autoencoder(nn.Module):
    def __init__(self, latent=8, hidden=64):
        super().__init__()
        d = SIDE * SIDE
        self.encoder = nn.Sequential(nn.Flatten(), nn.Linear(d, hidden), nn.ReLU(), nn.Linear(hidden, latent))
        self.decoder = nn.Sequential(nn.Linear(latent, hidden), nn.ReLU(), nn.Linear(hidden, d))

    def forward(self, x):
        z = self.encoder(x)
        return self.decoder(z).view_as(x), z


class MovieRecorder:
    """Keeps what is needed to make a GIF at the end of the run."""

    def __init__(self, fps=12):
        self.fps = fps
        self.frames = []

    def capture(self, recon):
        self.frames.append(recon.detach().sigmoid())  # <- culprit

    def contact_sheet(self, k=6):
        pick = torch.linspace(0, len(self.frames) - 1, k).long().tolist()
        return torch.stack([self.frames[i][0] for i in pick])

    @property
    def seconds(self):
        return len(self.frames) / self.fps


class Meter:
    def __init__(self):
        self.sum = self.n = 0.0

    def add(self, v):
        self.sum += v
        self.n += 1

    def pop(self):
        avg = self.sum / max(self.n, 1)
        self.sum = self.n = 0.0
        return avg


def train():
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(1)
    model = Autoencoder()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    movie, meter = MovieRecorder(), Meter()
    for it in range(ITERS):
        x = draw_batch(BATCH, gen)
        recon, z = model(x)
        loss = F.binary_cross_entropy_with_logits(recon, x) + 1e-4 * z.pow(2).mean()
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        meter.add(loss.item())
        movie.capture(recon)  # <- culprit
        if (it + 1) % 30 == 0:
            print(f"{it + 1:4d}  loss {meter.pop():.4f}")
    sheet = movie.contact_sheet()
    print("movie of %.1f s, sheet %s, last frame mean %.3f" % (movie.seconds, tuple(sheet.shape), sheet[-1].mean()))


if __name__ == "__main__":
    train()
