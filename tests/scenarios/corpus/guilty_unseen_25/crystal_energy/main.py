# gradwatch-corpus: kind=graph-held
# holder: Radial.expand | model.radial.expand | self.radial.expand | radial.expand | self.expand
# first-bad: 1
# notice: 8
# after: dynamiqs/dynamiqs #133 "Caching tensors" (lru_cache keyed by a tensor's identity), botorch #1650 "Don't use functools.lru_cache on methods"
import torch
from interaction import EnergyModel


def crystals(n, atoms=7):
    for _ in range(n):
        pos = torch.rand(4, atoms, 3) * 3
        z = torch.randint(0, 4, (4, atoms))
        d = torch.cdist(pos, pos) + torch.eye(atoms) * 9
        e = (torch.exp(-d) * (1 + z[:, :, None] * 0.1)).sum((1, 2), keepdim=False)
        yield z, pos, e


def train():
    torch.manual_seed(21)
    model = EnergyModel()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    for i, (z, pos, e) in enumerate(crystals(90)):
        pred = model(z, pos)
        mae = (pred - e).abs().mean()
        opt.zero_grad()
        mae.backward()
        opt.step()
        if not i % 30:
            print(i, "MAE", mae.item())


train()
