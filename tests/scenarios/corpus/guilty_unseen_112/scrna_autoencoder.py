# gradwatch-corpus: kind=memory-climb
# holder: self.records | probe.records | self.records[name] | probe.records[name]
# first-bad: 1
# notice: 100
"""
Denoising autoencoder for single-cell count matrices (simulated), with a small
probe on the hidden layers so that units which never fire can be listed at the end.
"""
import argparse
from collections import defaultdict

import torch
from torch import nn


def simulate_cells(n_cells, n_genes, n_types, gen):
    """Negative-binomial-like counts: a program per cell type, a size factor per cell."""
    programs = torch.rand(n_types, n_genes, generator=gen).pow(3) * 4 + 0.02
    types = torch.randint(n_types, (n_cells,), generator=gen)
    size = torch.rand(n_cells, 1, generator=gen) + 0.5
    rate = programs[types] * size
    overdispersed = rate * (-torch.rand(rate.shape, generator=gen).clamp_min(1e-6).log())
    return torch.poisson(overdispersed, generator=gen), types


def normalise(counts):
    depth = counts.sum(1, keepdim=True).clamp_min(1)
    return torch.log1p(counts / depth * 1e3)


class DenoisingAE(nn.Module):
    def __init__(self, n_genes, hidden=192, code=16, drop=0.15):
        super().__init__()
        self.corrupt = nn.Dropout(drop)
        self.enc1 = nn.Linear(n_genes, hidden)
        self.enc2 = nn.Linear(hidden, 96)
        self.act1, self.act2, self.act3 = nn.ReLU(), nn.ReLU(), nn.ReLU()
        self.code = nn.Linear(96, code)
        self.dec1 = nn.Linear(code, hidden)
        self.out = nn.Linear(hidden, n_genes)

    def forward(self, x):
        h = self.act1(self.enc1(self.corrupt(x)))
        h = self.act2(self.enc2(h))
        z = self.code(h)
        return self.out(self.act3(self.dec1(z))), z


class ActivationProbe:
    """Watches every ReLU of a model through forward hooks."""

    def __init__(self, model):
        self.records = defaultdict(list)
        self.handles = [
            m.register_forward_hook(self._make(name))
            for name, m in model.named_modules()
            if isinstance(m, nn.ReLU)
        ]

    def _make(self, name):
        def hook(module, inputs, output):
            if module.training:
                self.records[name].append(output.detach())  # <- culprit
        return hook

    def silent_units(self, recent=20):
        result = {}
        for name, seen in self.records.items():
            fired = torch.stack([s.gt(0).any(0) for s in seen[-recent:]]).any(0)
            result[name] = (~fired).nonzero().flatten().tolist()
        return result

    def close(self):
        for h in self.handles:
            h.remove()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=160)
    ap.add_argument("--batch", type=int, default=160)
    ap.add_argument("--genes", type=int, default=220)
    ap.add_argument("--seed", type=int, default=17)
    args = ap.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    gen = torch.Generator().manual_seed(args.seed)

    counts, types = simulate_cells(1000, args.genes, 7, gen)
    data = normalise(counts)
    data = (data - data.mean(0)) / (data.std(0) + 1e-3)

    model = DenoisingAE(args.genes)
    probe = ActivationProbe(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

    smooth = None
    for step in range(args.steps):
        rows = torch.randint(len(data), (args.batch,), generator=gen)
        x = data[rows]
        recon, z = model(x)
        loss = (recon - x).pow(2).mean() + 1e-3 * z.pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        smooth = loss.item() if smooth is None else 0.95 * smooth + 0.05 * loss.item()
        if step % 40 == 0:
            print(f"step {step:4d}  recon {smooth:.4f}")

    for name, units in probe.silent_units().items():
        print(f"{name}: {len(units)} silent units", units[:8])
    probe.close()

    model.eval()
    with torch.no_grad():
        _, codes = model(data)
    centres = torch.stack([codes[types == t].mean(0) for t in range(7)])
    print("nearest-centre agreement",
          round((torch.cdist(codes, centres).argmin(1) == types).float().mean().item(), 3))


if __name__ == "__main__":
    main()
