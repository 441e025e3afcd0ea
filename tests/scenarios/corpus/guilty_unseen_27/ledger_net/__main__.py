# gradwatch-corpus: kind=graph-chain
# holder: self.container | memory.container | model.memory.container | self.memory.container | detector.memory.container | self.memory | model.memory
# first-bad: 1
# notice: 5
# after: memgraph/mage PR #121 "Temporal graph networks implementation" (detach_tensor_grads of the node memory)
"""Transfers between accounts: a continuous-time graph model with a memory vector per account.

    python -m ledger_net
"""
import torch
import torch.nn.functional as F

from .events import TransferStream
from .model import TransferDetector


def train_window(model, optimizer, window):
    with model.memory.window(window.index):
        logits = model(window)
        loss = F.binary_cross_entropy_with_logits(logits, window.label)
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()
    return loss.item(), logits.detach()


def main():
    torch.manual_seed(8)
    stream = TransferStream(accounts=60, per_window=20, windows=70)
    model = TransferDetector(n_features=stream.n_features, width=32)
    optimizer = torch.optim.RMSprop(model.parameters(), lr=2e-3)
    seen = hits = 0
    for window in stream:
        value, logits = train_window(model, optimizer, window)
        hits += int(((logits > 0) == window.label.bool()).sum())
        seen += len(window.label)
        if window.index % 14 == 0:
            print(f"window {window.index:3d} bce {value:.3f} acc {hits / seen:.3f} accounts {len(model.memory)}")


if __name__ == "__main__":
    main()
