# gradwatch-corpus: kind=second-backward
# holder: self._protos | bank._protos
# first-bad: 1
import torch
import torch.nn as nn
import torch.nn.functional as F


class SpectraEncoder(nn.Module):
    def __init__(self, bands=64, dim=24):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv1d(1, 8, 5, padding=2), nn.ELU(), nn.MaxPool1d(4),
                                  nn.Conv1d(8, 16, 3, padding=1), nn.ELU())
        self.proj = nn.Linear(16 * (bands // 4), dim)

    def forward(self, s):
        return F.normalize(self.proj(self.conv(s.unsqueeze(1)).flatten(1)), dim=-1)


class PrototypeBank:
    """Class centres, recomputed from the reference spectra every `every` steps."""

    def __init__(self, encoder, reference, labels, classes, every=8):
        self.encoder, self.reference, self.labels = encoder, reference, labels
        self.classes, self.every = classes, every
        self._protos, self._stamp = None, None

    def get(self, step):
        epoch = step // self.every
        if self._stamp != epoch:
            self._protos = self._compute()  # <- culprit
            self._stamp = epoch
        return self._protos

    def _compute(self):
        z = self.encoder(self.reference)
        onehot = F.one_hot(self.labels, self.classes).float()
        centres = onehot.t() @ z / onehot.sum(0).unsqueeze(1)
        return F.normalize(centres, dim=-1)  # <- culprit


def spectra(base, n, gen):
    y = torch.randint(0, len(base), (n,), generator=gen)
    gain = 0.7 + 0.6 * torch.rand(n, 1, generator=gen)
    return gain * base[y] + 0.25 * torch.randn(n, base.size(1), generator=gen), y


def accuracy(sim, y):
    return (sim.argmax(-1) == y).float().mean().item()


def main(steps=120):
    torch.manual_seed(7)
    gen = torch.Generator().manual_seed(70)
    base = torch.cumsum(torch.randn(6, 64, generator=gen), 1) / 5
    ref_x = base.repeat(5, 1) + 0.1 * torch.randn(30, 64, generator=gen)
    ref_y = torch.arange(6).repeat(5)
    enc = SpectraEncoder()
    bank = PrototypeBank(enc, ref_x, ref_y, classes=6)
    opt = torch.optim.Adam(enc.parameters(), lr=1e-3)
    history = {"loss": [], "acc": []}
    for step in range(steps):
        x, y = spectra(base, 40, gen)
        sim = enc(x) @ bank.get(step).t() / 0.1  # <- culprit
        loss = F.cross_entropy(sim, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        history["loss"].append(loss.item())
        history["acc"].append(accuracy(sim, y))
        if step % 20 == 0:
            print(step, history["loss"][-1], history["acc"][-1])


if __name__ == "__main__":
    main()
