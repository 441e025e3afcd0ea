# gradwatch-corpus: kind=graph-chain
# holder: self.anchor[name] | self.anchor | anchors.anchor
# first-bad: 1
import torch
from torch import nn
import torch.nn.functional as F


class TripTime(nn.Module):
    def __init__(self, zones=30, dim=8):
        super().__init__()
        self.origin = nn.Embedding(zones, dim)
        self.dest = nn.Embedding(zones, dim)
        self.hour = nn.Linear(2, dim)
        self.out = nn.Sequential(nn.Linear(3 * dim, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, o, d, hour):
        clock = torch.stack([torch.sin(hour * 0.2618), torch.cos(hour * 0.2618)], -1)
        z = torch.cat([self.origin(o), self.dest(d), self.hour(clock)], -1)
        return self.out(z).squeeze(-1)


class SlowAnchor:
    """Pulls the embedding tables towards a slow average of themselves."""

    def __init__(self, model, names, decay=0.98, strength=1e-2):
        self.model = model
        self.decay = decay
        self.strength = strength
        table = dict(model.named_parameters())
        self.anchor = {n: table[n].detach().clone() for n in names}

    def penalty(self):
        table = dict(self.model.named_parameters())
        total = 0.0
        for name, ref in self.anchor.items():
            total = total + (table[name] - ref).pow(2).mean()
        return self.strength * total

    def move(self):
        table = dict(self.model.named_parameters())
        for name in self.anchor:
            self.anchor[name] = torch.lerp(self.anchor[name], table[name], 1 - self.decay)  # <- culprit


def trips(batch, zones, pos, gen):
    o = torch.randint(0, zones, (batch,), generator=gen)
    d = torch.randint(0, zones, (batch,), generator=gen)
    hour = torch.rand(batch, generator=gen) * 24
    dist = (pos[o] - pos[d]).norm(dim=-1)
    rush = 1 + 0.5 * torch.exp(-((hour - 8) / 2) ** 2) + 0.5 * torch.exp(-((hour - 18) / 2) ** 2)
    return o, d, hour, dist * rush + 0.05 * torch.randn(batch, generator=gen)


def main():
    torch.manual_seed(21)
    gen = torch.Generator().manual_seed(4)
    pos = torch.rand(30, 2, generator=gen)
    model = TripTime()
    anchors = SlowAnchor(model, ["origin.weight", "dest.weight"])
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    seen = []
    for step in range(500):
        o, d, hour, minutes = trips(64, 30, pos, gen)
        fit = F.smooth_l1_loss(model(o, d, hour), minutes)
        loss = fit + anchors.penalty()
        opt.zero_grad()
        loss.backward()
        opt.step()
        anchors.move()
        seen.append(fit.item())
        if step % 100 == 99:
            print(step + 1, f"fit {sum(seen[-50:]) / 50:.4f}")


if __name__ == "__main__":
    main()
