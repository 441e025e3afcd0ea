# gradwatch-corpus: kind=graph-held
# holder: self.cells[epoch] | self.cells[epoch][slot] | self.cells | bank.cells
# first-bad: 1
# notice: 60
"""Plankton silhouettes: autoencoder and classifier with a slotted bank of codes per epoch."""
import torch
import torch.nn as nn
import torch.nn.functional as F

KINDS = 5


class CodeBank:
    def __init__(self, slots):
        self.slots = slots
        self.cells = {}

    def write(self, epoch, batch, code, kind):
        slot = f"slot{batch % self.slots}"
        self.cells.setdefault(epoch, {})[slot] = (code, kind)  # <- culprit

    def centroids(self, epoch):
        rows = self.cells.get(epoch, {}).values()
        if not rows:
            return None
        code = torch.cat([c.detach() for c, _ in rows])
        kind = torch.cat([k for _, k in rows])
        onehot = F.one_hot(kind, KINDS).float()
        return onehot.T @ code / onehot.sum(0).clamp(min=1)[:, None]


class Plankton(nn.Module):
    def __init__(self, code=12):
        super().__init__()
        self.enc = nn.Sequential(nn.Flatten(), nn.Linear(144, 48), nn.ReLU(), nn.Linear(48, code))
        self.dec = nn.Sequential(nn.Linear(code, 48), nn.ReLU(), nn.Linear(48, 144))
        self.cls = nn.Linear(code, KINDS)

    def forward(self, x):
        code = self.enc(x)
        return code, self.dec(code).view_as(x), self.cls(code)


def silhouettes(gen, n=20, size=12):
    kind = torch.randint(0, KINDS, (n,), generator=gen)
    ax = torch.linspace(-1, 1, size)
    yy, xx = torch.meshgrid(ax, ax, indexing="ij")
    tilt = 0.4 * torch.randn(n, generator=gen)
    r = (xx ** 2 + yy ** 2).sqrt()[None]
    ang = torch.atan2(yy, xx)[None] + tilt[:, None, None]
    edge = 0.6 + 0.2 * torch.cos(ang * (kind[:, None, None] + 1))
    img = torch.sigmoid(12 * (edge - r))
    return img + 0.1 * torch.randn(n, size, size, generator=gen), kind


def run_epoch(epoch, model, opt, bank, gen, batches=15):
    total = 0.0
    pull_to = bank.centroids(epoch - 1)
    for batch in range(batches):
        img, kind = silhouettes(gen)
        code, recon, logits = model(img)
        loss = F.mse_loss(recon, img) + 0.3 * F.cross_entropy(logits, kind)
        if pull_to is not None:
            loss = loss + 0.01 * (code - pull_to[kind]).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        bank.write(epoch, batch, code, kind)
        total += loss.item()
    return total / batches


def main():
    torch.manual_seed(14)
    gen = torch.Generator().manual_seed(140)
    model = Plankton()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    bank = CodeBank(slots=6)
    for epoch in range(32):
        mean = run_epoch(epoch, model, opt, bank, gen)
        if epoch % 6 == 5:
            spread = torch.pdist(bank.centroids(epoch)).mean().item()
            print(f"epoch {epoch + 1} loss {mean:.3f} spread {spread:.2f}")


if __name__ == "__main__":
    main()
