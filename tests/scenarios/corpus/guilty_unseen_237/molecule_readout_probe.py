# gradwatch-corpus: kind=graph-held
# holder: probe.outputs | self.outputs | probe.outputs["readout"] | self.outputs[name]
# first-bad: 1
"""Solubility regression on random molecules: dense-adjacency message passing in plain tensors."""
import torch
from torch import nn

torch.manual_seed(8)

MAX_ATOMS = 14
N_ELEMENTS = 7
WIDTH = 32
N_STEPS = 120
BATCH = 24


def random_molecules(n):
    atoms = torch.randint(0, N_ELEMENTS, (n, MAX_ATOMS))
    size = torch.randint(5, MAX_ATOMS + 1, (n,))
    mask = (torch.arange(MAX_ATOMS).unsqueeze(0) < size.unsqueeze(1)).float()
    adj = (torch.rand(n, MAX_ATOMS, MAX_ATOMS) < 0.2).float()
    adj = ((adj + adj.transpose(1, 2)) > 0).float()
    adj = adj * mask.unsqueeze(1) * mask.unsqueeze(2)
    polar = ((atoms < 2).float() * mask).sum(1)
    target = 0.4 * polar - 0.05 * adj.sum((1, 2)) + 0.1 * torch.randn(n)
    return atoms, adj, mask, target


class MessageLayer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.msg = nn.Linear(width, width)
        self.upd = nn.Linear(2 * width, width)

    def forward(self, h, adj):
        deg = adj.sum(-1, keepdim=True).clamp(min=1)
        m = adj @ torch.relu(self.msg(h)) / deg
        return torch.relu(self.upd(torch.cat([h, m], -1))) + h


class MolNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(N_ELEMENTS, WIDTH)
        self.layers = nn.ModuleList([MessageLayer(WIDTH) for _ in range(3)])
        self.readout = nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.Tanh())
        self.head = nn.Linear(WIDTH, 1)

    def forward(self, atoms, adj, mask):
        h = self.embed(atoms)
        for layer in self.layers:
            h = layer(h, adj)
        pooled = (h * mask.unsqueeze(-1)).sum(1) / mask.sum(1, keepdim=True)
        return self.head(self.readout(pooled)).squeeze(-1)


class ActivationProbe:
    """Collects the outputs of named submodules, to look at saturation afterwards."""

    def __init__(self, model, names):
        self.outputs = {n: [] for n in names}
        modules = dict(model.named_modules())
        for n in names:
            modules[n].register_forward_hook(self._make_hook(n))

    def _make_hook(self, name):
        def hook(module, inputs, output):
            if module.training:
                self.outputs[name].append(output)  # <- culprit

        return hook

    def saturation(self, name, last=20):
        recent = torch.cat(self.outputs[name][-last:])
        return (recent.abs() > 0.95).float().mean().item()


def evaluate(model, data):
    model.eval()
    with torch.no_grad():
        pred = model(*data[:3])
    model.train()
    return (pred - data[3]).pow(2).mean().sqrt().item()


if __name__ == "__main__":
    model = MolNet()
    probe = ActivationProbe(model, ["readout"])
    optim = torch.optim.Adam(model.parameters(), lr=2e-3)
    held_out = random_molecules(200)
    curve = {"train": [], "rmse": [], "saturation": []}

    for it in range(N_STEPS):
        atoms, adj, mask, target = random_molecules(BATCH)
        pred = model(atoms, adj, mask)
        loss = nn.functional.huber_loss(pred, target)
        optim.zero_grad(set_to_none=True)
        loss.backward()
        optim.step()
        curve["train"].append(loss.item())
        if it % 30 == 29:
            curve["rmse"].append(evaluate(model, held_out))
            curve["saturation"].append(probe.saturation("readout"))
            print(f"it {it + 1}: rmse {curve['rmse'][-1]:.3f}, saturated {curve['saturation'][-1]:.1%}")
