# gradwatch-corpus: kind=inplace-modified
# holder: u | prev | field
# first-bad: 30
# notice: 0
# Inverting a source profile and a coupling in the 1-d phi^4 wave equation (leapfrog scheme).
import torch

torch.set_num_threads(1)
torch.manual_seed(64)

NX, NT, DX, DT = 40, 25, 0.25, 0.1
x = (torch.arange(NX) - NX / 2) * DX
edge = torch.ones(NX)
edge[:5] = torch.linspace(0.8, 1.0, 5)
edge[-5:] = torch.linspace(1.0, 0.8, 5)
RECEIVERS = torch.tensor([8, 14, 26, 32])


def laplacian(f):
    return (f.roll(1) - 2 * f + f.roll(-1)) / DX ** 2


def leapfrog(u, prev, coupling):
    return 2 * u - prev + DT ** 2 * (laplacian(u) - coupling * u ** 3)


def absorb(fields, mask):
    for field in fields:
        field.mul_(mask)  # <- culprit


def shoot(source, coupling, sponge):
    """Receivers' traces of a pulse released at rest."""
    prev = source.clone()
    u = source + 0.5 * DT ** 2 * laplacian(source)
    record = []
    for _ in range(NT):
        u, prev = leapfrog(u, prev, coupling), u
        if sponge:
            absorb((u, prev), edge)
        record.append(u[RECEIVERS])
    return torch.stack(record)


class Inversion(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.centre = torch.nn.Parameter(torch.tensor(0.3))
        self.height = torch.nn.Parameter(torch.tensor(0.7))
        self.log_coupling = torch.nn.Parameter(torch.tensor(-1.0))

    def source(self):
        return self.height * torch.exp(-((x - self.centre) / 0.7) ** 2)

    def forward(self, sponge):
        return shoot(self.source(), self.log_coupling.exp(), sponge)


with torch.no_grad():
    clean = {s: shoot(1.1 * torch.exp(-((x + 0.4) / 0.7) ** 2), torch.tensor(0.6), s) for s in (False, True)}

model = Inversion()
opt = torch.optim.Adam(model.parameters(), lr=0.02)
for it in range(300):
    open_edges = it >= 30
    misfit = (model(open_edges) - clean[open_edges]).pow(2).mean()
    opt.zero_grad()
    misfit.backward()
    opt.step()
    if it % 10 == 0:
        print(it, f"{misfit.item():.5f}", f"{model.centre.item():+.3f} {model.height.item():.3f}")
