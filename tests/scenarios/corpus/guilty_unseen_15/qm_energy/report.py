"""Predicted-versus-reference table, written out at the end of a run."""
from dataclasses import dataclass

import torch


@dataclass
class ParityRow:
    step: int
    predicted: torch.Tensor
    reference: torch.Tensor

    def error(self):
        return (self.predicted - self.reference).abs().mean().item()


class ParityTable:
    def __init__(self, every=1, molecules=4):
        self.every = every
        self.molecules = molecules
        self.rows = []

    def offer(self, step, predicted, reference):
        if step % self.every:
            return
        keep = slice(0, self.molecules)
        self.rows.append(ParityRow(step, predicted[keep].cpu(), reference[keep].cpu()))  # <- culprit

    @torch.no_grad()
    def slope(self, last):
        p = torch.cat([r.predicted for r in self.rows[-last:]])
        t = torch.cat([r.reference for r in self.rows[-last:]])
        t = t - t.mean()
        return ((p - p.mean()) * t).sum().item() / t.pow(2).sum().item()

    def summary(self):
        errors = [row.error() for row in self.rows]
        half = len(errors) // 2
        return (f"{len(errors)} parity rows, mean abs. error "
                f"{sum(errors[:half]) / half:.3f} -> {sum(errors[half:]) / (len(errors) - half):.3f}")
