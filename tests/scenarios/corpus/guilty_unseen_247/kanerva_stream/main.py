# gradwatch-corpus: kind=graph-chain
# holder: carry | carry.mem | carry.strength | state | state.mem
# first-bad: 1
"""Streaming associative recall with a least-used external memory."""
from types import SimpleNamespace

import torch

from cell import MemoryCell, blank
from optim_tools import adam_init, adam_apply
from task import recall_batch


HP = SimpleNamespace(iters=80, batch=8, key=12, val=6, slots=16, lr=3e-3)


def episode(cell, carry, batch):
    keys, values, probes, targets = batch
    carry = cell.write(carry, keys, values)
    guess, weights = cell.read(carry, probes)
    loss = (guess - targets).pow(2).mean()
    sharp = -(weights * (weights + 1e-8).log()).sum(-1).mean()
    return loss + 0.01 * sharp, carry


def fit():
    torch.manual_seed(3)
    cell = MemoryCell(HP.key, HP.val, HP.slots)
    moments = adam_init(cell)
    carry = blank(HP.batch, HP.slots, HP.key, HP.val)
    running = None
    for it in range(HP.iters):
        batch = recall_batch(HP.batch, HP.key, HP.val)
        objective, carry = episode(cell, carry, batch)  # <- culprit
        cell.zero_grad()
        objective.backward(retain_graph=True)
        moments = adam_apply(cell, moments, HP.lr)
        value = objective.item()
        running = value if running is None else 0.9 * running + 0.1 * value
        if it % 20 == 19:
            print(f"[{it + 1:3d}] recall {running:.4f}  usage {carry.strength.mean().item():.3f}")
    return cell


if __name__ == "__main__":
    fit()
