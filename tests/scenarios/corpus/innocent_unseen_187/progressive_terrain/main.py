# gradwatch-corpus: kind=none
import argparse

import torch

from phases import Phase, TerrainAE

SCHEDULE = [
    ("warmup", 8, 55, 2e-3),
    ("low", 8, 70, 2e-3),
    ("low-fine", 8, 60, 5e-4),
    ("mid", 12, 75, 1e-3),
    ("mid-fine", 12, 50, 3e-4),
    ("high", 16, 75, 1e-3),
    ("high-fine", 16, 65, 2e-4),
]


def freeze_encoder(model, frozen):
    for p in model.enc.parameters():
        p.requires_grad_(not frozen)


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=6)
    args = parser.parse_args(argv)
    torch.manual_seed(args.seed)
    gen = torch.Generator().manual_seed(args.seed)
    model = TerrainAE()
    table = []
    for name, size, steps, lr in SCHEDULE:
        freeze_encoder(model, name.endswith("fine"))
        phase = Phase(name, model, size, steps, lr)
        result = phase.run(gen)
        table.append((name, result))
        print(f"{name:10s} {size}px recon {result['recon']:.4f} grad {result['grad_match']:.4f}")
    name, result = min(table, key=lambda row: row[1]["recon"])
    print("best phase", name)


if __name__ == "__main__":
    main([])
