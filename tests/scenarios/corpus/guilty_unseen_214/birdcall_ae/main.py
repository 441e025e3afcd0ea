# gradwatch-corpus: kind=memory-climb
# holder: self.panels | book.panels
# first-bad: 1
import torch
from torch import nn

from report import FigureBook
from synth import chirps, log_spec


class ConvAE(nn.Module):
    def __init__(self, z=16):
        super().__init__()
        self.enc = nn.Sequential(
            nn.Conv2d(1, 6, 4, stride=4), nn.ReLU(),
            nn.Conv2d(6, 12, 2, stride=2), nn.ReLU(), nn.Flatten(),
            nn.Linear(12 * 16 * 7, z),
        )
        self.dec = nn.Sequential(
            nn.Linear(z, 12 * 16 * 7), nn.ReLU(), nn.Unflatten(1, (12, 16, 7)),
            nn.ConvTranspose2d(12, 6, 2, stride=2), nn.ReLU(),
            nn.ConvTranspose2d(6, 1, 4, stride=4),
        )

    def forward(self, s):
        return self.dec(self.enc(s[:, None]))[:, 0]


def main(steps=180, batch=8):
    torch.manual_seed(9)
    gen = torch.Generator().manual_seed(9)
    ae = ConvAE()
    opt = torch.optim.Adam(ae.parameters(), lr=2e-3)
    book = FigureBook("birdcall autoencoder")
    for step in range(steps):
        spec = log_spec(chirps(batch, gen))
        out = ae(spec)
        loss = nn.functional.mse_loss(out, spec)
        opt.zero_grad()
        loss.backward()
        opt.step()
        book.scalar("train", loss.item())
        book.pair(step, spec, out)  # <- culprit
        if step % 60 == 59:
            print(step + 1, f"{loss.item():.4f}")
    print(book.summary())


if __name__ == "__main__":
    main()
