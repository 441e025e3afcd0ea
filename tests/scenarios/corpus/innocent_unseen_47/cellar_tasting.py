# gradwatch-corpus: kind=none
"""Wine classes from lab values, trained with sharpness-aware steps."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Sharpness:
    """Two-pass SAM around a base optimizer."""

    def __init__(self, params, base, rho=0.05):
        self.params = [p for p in params if p.requires_grad]
        self.base = base
        self.rho = rho
        self.shift = {}

    @torch.no_grad()
    def climb(self):
        norm = torch.stack([p.grad.norm() for p in self.params]).norm() + 1e-12
        for p in self.params:
            e = p.grad * (self.rho / norm)
            p.add_(e)
            self.shift[p] = e
        self.base.zero_grad()

    @torch.no_grad()
    def descend(self):
        for p in self.params:
            p.sub_(self.shift.pop(p))
        self.base.step()
        self.base.zero_grad()


def lab(n, gen):
    kind = torch.randint(0, 4, (n,), generator=gen)
    centre = torch.randn(4, 11, generator=gen)
    x = centre[kind] + 1.3 * torch.randn(n, 11, generator=gen)
    x[:, 3] = x[:, 3] * x[:, 0]
    wrong = torch.rand(n, generator=gen) < 0.1
    label = torch.where(wrong, torch.randint(0, 4, (n,), generator=gen), kind)
    return TensorDataset(x, label)


class Taster(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(11, 48), nn.Linear(48, 48)])
        self.norms = nn.ModuleList([nn.LayerNorm(48), nn.LayerNorm(48)])
        self.out = nn.Linear(48, 4)

    def forward(self, x):
        for lin, norm in zip(self.layers, self.norms):
            x = norm(lin(x)).relu_()
        return self.out(x)


def epoch(model, sam, loader, criterion):
    totals = {"flat": 0.0, "sharp": 0.0, "hit": 0}
    for x, label in loader:
        logits = model(x)
        loss = criterion(logits, label)
        loss.backward()
        sam.climb()

        peak = criterion(model(x), label)
        peak.backward()
        sam.descend()

        totals["flat"] += loss.item() * len(x)
        totals["sharp"] += peak.item() * len(x)
        totals["hit"] += (logits.argmax(1) == label).sum().item()
    return {k: v / len(loader.dataset) for k, v in totals.items()}


def main():
    torch.manual_seed(50)
    gen = torch.Generator().manual_seed(50)
    loader = DataLoader(lab(960, gen), batch_size=48, shuffle=True, drop_last=True)
    model = Taster()
    base = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    sam = Sharpness(model.parameters(), base)
    criterion = nn.CrossEntropyLoss()
    for k in range(5):
        stats = epoch(model, sam, loader, criterion)
        print(f"epoch {k}", " ".join(f"{n}={v:.3f}" for n, v in stats.items()))


if __name__ == "__main__":
    main()
