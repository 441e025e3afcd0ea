# gradwatch-corpus: kind=crashed
# first-bad: 180
# notice: 0
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(23)


class Message(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.edge = nn.Linear(2 * d + 1, d)
        self.node = nn.GRUCell(d, d)

    def forward(self, h, src, dst, bond):
        m = torch.relu(self.edge(torch.cat([h[src], h[dst], bond], -1)))
        agg = torch.zeros_like(h).index_add(0, dst, m)
        return self.node(agg, h)


class Mpnn(nn.Module):
    def __init__(self, d=16, rounds=2):
        super().__init__()
        self.atom = nn.Embedding(6, d)
        self.rounds = nn.ModuleList(Message(d) for _ in range(rounds))
        self.readout = nn.Sequential(nn.Linear(d, d), nn.SiLU(), nn.Linear(d, 1))

    def forward(self, z, src, dst, bond, mol, n):
        h = self.atom(z)
        for r in self.rounds:
            h = r(h, src, dst, bond)
        pooled = torch.zeros(n, h.shape[1]).index_add(0, mol, h)
        return self.readout(pooled).squeeze(-1)


class Range:
    """Running min/max of what a layer gives out, for the later integer export."""

    def __init__(self, rate=0.1):
        self.rate = rate
        self.lo = self.hi = None

    def __call__(self, layer, args, out):
        seen = out.detach()
        lo, hi = seen.min().item(), seen.max().item()
        self.lo = lo if self.lo is None else self.lo + self.rate * (lo - self.lo)
        self.hi = hi if self.hi is None else self.hi + self.rate * (hi - self.hi)
        return seen.clamp(self.lo - 1.0, self.hi + 1.0)  # <- culprit


def attach_ranges(model):
    return {name: (layer, layer.register_forward_hook(Range()))
            for name, layer in model.named_modules() if isinstance(layer, nn.Linear) and "readout" in name}


def molecules(n=6, atoms=5):
    z = torch.randint(0, 6, (n * atoms,))
    mol = torch.arange(n).repeat_interleave(atoms)
    src = torch.arange(n * atoms)
    dst = mol * atoms + (src + 1) % atoms
    bond = torch.rand(len(src), 1)
    y = torch.zeros(n).index_add(0, mol, z.float() * 0.2) + torch.zeros(n).index_add(0, mol, bond[:, 0])
    return (z, torch.cat([src, dst]), torch.cat([dst, src]), bond.repeat(2, 1), mol, n), y


def run(epochs=10, per=30):
    model = Mpnn()
    opt = torch.optim.Adam(model.parameters(), 3e-3)
    ranges = None
    for e in range(epochs):
        if e == 6:
            ranges = attach_ranges(model)
        for _ in range(per):
            graph, y = molecules()
            loss = nn.functional.huber_loss(model(*graph), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(e, loss.item(), ranges is not None)


run()
