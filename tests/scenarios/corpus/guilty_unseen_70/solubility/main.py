# gradwatch-corpus: kind=second-backward
# holder: self._anchors | bank._anchors | self.bank._anchors | self.anchors._anchors | anchors | refs | loss | model.bank._anchors
# first-bad: 41
# notice: 0
"""Solubility regression on toy molecular graphs with help from reference compounds."""
import argparse

import torch
from torch import nn

from graphs import random_molecules
from network import AnchorBank, MoleculeEncoder


class AnchoredRegressor(nn.Module):
    def __init__(self, reference, refresh):
        super().__init__()
        self.encoder = MoleculeEncoder(kinds=6, width=20)
        self.readout = nn.Linear(20, 1)
        self.mix = nn.Parameter(torch.tensor(0.0))
        self.bank = AnchorBank(self.encoder, reference, refresh)

    def forward(self, atoms, bonds, step, use_anchors):
        code = self.encoder(atoms, bonds)
        plain = self.readout(code).squeeze(-1)
        if not use_anchors:
            return plain
        refs, known = self.bank.anchors(step)
        attention = torch.softmax(code @ refs.t() / code.shape[-1] ** 0.5, dim=-1)
        gate = torch.sigmoid(self.mix)
        return (1 - gate) * plain + gate * (attention @ known)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=120)
    parser.add_argument("--anchors-from", type=int, default=40)
    parser.add_argument("--refresh", type=int, default=15)
    opts = parser.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(13)
    generator = torch.Generator().manual_seed(14)
    reference = random_molecules(24, generator)
    model = AnchoredRegressor(reference, opts.refresh)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)

    for step in range(opts.steps):
        atoms, bonds, target = random_molecules(32, generator)
        predicted = model(atoms, bonds, step, use_anchors=step >= opts.anchors_from)
        loss = nn.functional.mse_loss(predicted, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 20 == 0:
            print(f"step {step}: mse {loss.item():.4f}")


if __name__ == "__main__":
    main()
