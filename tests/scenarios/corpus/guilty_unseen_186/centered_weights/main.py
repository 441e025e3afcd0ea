# gradwatch-corpus: kind=graph-chain
# holder: self.running | module.running | m.running | model.c2.parametrizations.weight[0].running
# first-bad: 1
"""Plain conv classifier with weights centred by a parametrization."""
import torch
import torch.nn.functional as F
from torch import nn

from centering import apply_centering, centered_layers


class Blobs(torch.utils.data.Dataset):
    """8x8 images with a bright blob in one of four quadrants."""

    def __init__(self, n=800, seed=31):
        g = torch.Generator().manual_seed(seed)
        self.y = torch.randint(0, 4, (n,), generator=g)
        self.x = 0.5 * torch.randn(n, 1, 8, 8, generator=g)
        for i, c in enumerate(self.y.tolist()):
            r, q = divmod(c, 2)
            self.x[i, 0, 4 * r:4 * r + 4, 4 * q:4 * q + 4] += 0.6

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class QuadrantNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv2d(1, 8, 3, padding=1)
        self.c2 = nn.Conv2d(8, 8, 3, stride=2, padding=1)
        self.fc = nn.Linear(8 * 16, 4)

    def forward(self, x):
        x = F.relu(self.c1(x))
        x = F.relu(self.c2(x))
        return self.fc(x.flatten(1))


def cycle(loader):
    while True:
        yield from loader


def main(steps=420):
    torch.manual_seed(3)
    model = apply_centering(QuadrantNet(), kinds=(nn.Conv2d,))
    loader = torch.utils.data.DataLoader(Blobs(), batch_size=16, shuffle=True, num_workers=0)
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    hits = seen = 0
    for step, (x, y) in zip(range(1, steps + 1), cycle(loader)):
        logits = model(x)
        loss = F.cross_entropy(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        hits += (logits.argmax(1) == y).sum().item()
        seen += len(y)
        if step % 75 == 0:
            offs = max(m.running.abs().max().item() for m in centered_layers(model))
            print(f"{step} loss {loss.item():.3f} acc {hits / seen:.2f} max offset {offs:.4f}", flush=True)
            hits = seen = 0


if __name__ == "__main__":
    main()
