# gradwatch-corpus: kind=graph-held
# holder: self.backlog[tag] | self.backlog | scribe.backlog
# first-bad: 1
import torch
from torch import nn
import torch.nn.functional as F

from scribe import AsyncScribe

PER_EPOCH = 24


class Separator(nn.Module):
    def __init__(self, width=40):
        super().__init__()
        self.enc = nn.Conv1d(1, width, 8, stride=4)
        self.mask = nn.Sequential(nn.Conv1d(width, width, 3, padding=1), nn.PReLU(), nn.Conv1d(width, 2 * width, 1))
        self.dec = nn.ConvTranspose1d(width, 1, 8, stride=4)

    def forward(self, mix):
        e = torch.relu(self.enc(mix))
        masks = torch.sigmoid(self.mask(e)).chunk(2, 1)
        return torch.cat([self.dec(m * e) for m in masks], 1)


def mixtures(gen, n=6, length=128):
    t = torch.arange(length)
    f = torch.stack([0.05 + 0.1 * torch.rand(n, generator=gen), 0.5 + torch.rand(n, generator=gen)], 1)
    sources = torch.sin(f[..., None] * t + 6.28 * torch.rand(n, 2, 1, generator=gen))
    return sources.sum(1, keepdim=True), sources


def main():
    torch.manual_seed(33)
    gen = torch.Generator().manual_seed(34)
    model = Separator()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    scribe = AsyncScribe(flush_at=32)
    scribe.start()
    for epoch in range(18):
        for _ in range(PER_EPOCH):
            mix, sources = mixtures(gen)
            est = model(mix)
            loss = F.mse_loss(est, sources) + 0.1 * (est.sum(1, keepdim=True) - mix).abs().mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            scribe.post(f"epoch{epoch:02d}/loss", loss)
        scribe.inbox.join()
        print(epoch, f"{loss.item():.4f}", scribe.written)
    scribe.close()


if __name__ == "__main__":
    main()
