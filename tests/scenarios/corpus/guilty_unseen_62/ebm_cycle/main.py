# gradwatch-corpus: kind=second-backward
# holder: self.slots | chains.slots | trainer.chains.slots | self.chains.slots
# first-bad: 4
# notice: 0
"""Train an energy model of a double-well system by improved contrastive divergence."""
import argparse

import torch

from energy import Energy, frozen, two_wells
from sampler import ChainBank, Langevin


class Trainer:
    """Contrastive term plus the sampler's own energy term, one step per batch."""

    def __init__(self, args):
        self.energy = Energy()
        self.chains = ChainBank(args.blocks, args.batch, dim=2)
        self.sampler = Langevin(n_steps=args.langevin)
        self.optim = torch.optim.Adam(self.energy.parameters(), lr=args.lr)
        self.reg = args.reg
        self.log = []

    def step(self, x_pos):
        x_neg = self.sampler.walk(self.energy, self.chains.take())
        self.chains.put(x_neg)

        e_pos = self.energy(x_pos)
        e_neg = self.energy(x_neg.detach())
        contrast = e_pos.mean() - e_neg.mean()
        sampler_term = frozen(self.energy)(x_neg).mean()
        size = e_pos.square().mean() + e_neg.square().mean()

        loss = contrast + sampler_term + self.reg * size
        self.optim.zero_grad()
        loss.backward()  # <- culprit
        torch.nn.utils.clip_grad_norm_(self.energy.parameters(), 5.0)
        self.optim.step()
        self.log.append((contrast.item(), sampler_term.item()))
        return self.log[-1]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=150)
    ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--blocks", type=int, default=4)
    ap.add_argument("--langevin", type=int, default=4)
    ap.add_argument("--lr", type=float, default=1e-3)
    ap.add_argument("--reg", type=float, default=0.01)
    args = ap.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(11)
    data_rng = torch.Generator().manual_seed(0)
    trainer = Trainer(args)
    for it in range(args.steps):
        contrast, kl = trainer.step(two_wells(args.batch, data_rng))
        if it % 25 == 0:
            print(f"{it:4d}  contrast {contrast:+.4f}  sampler {kl:+.4f}")


if __name__ == "__main__":
    main()
