# gradwatch-corpus: kind=graph-chain
# holder: self.center | criterion.center
# first-bad: 1
"""Linear probe with a self-distillation objective on pre-extracted embeddings."""
import random

import numpy as np
import torch
from torch.utils.data import DataLoader

from features import EmbeddingPairs
from losses import CenteredConsistency


def set_seed(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


def train_one_epoch(head, criterion, loader, optimizer, epoch):
    total, n = 0.0, 0
    for view_a, view_b in loader:
        za, zb = head(view_a), head(view_b)
        loss = criterion(za, zb)
        optimizer.zero_grad(set_to_none=True)
        loss.backward(retain_graph=True)  # <- culprit
        optimizer.step()
        total += loss.item() * len(view_a)
        n += len(view_a)
    print(f"epoch {epoch}: consistency {total / n:.4f}")
    return total / n


def main():
    set_seed(0)
    dataset = EmbeddingPairs(n=640, dim=96, n_clusters=12)
    loader = DataLoader(dataset, batch_size=64, shuffle=True)
    head = torch.nn.Linear(96, 32)
    criterion = CenteredConsistency(out_dim=32, temp_student=0.2, temp_teacher=0.07, center_momentum=0.9)
    optimizer = torch.optim.AdamW(head.parameters(), lr=2e-3, weight_decay=0.01)
    best = float("inf")
    for epoch in range(12):
        avg = train_one_epoch(head, criterion, loader, optimizer, epoch)
        if avg < best:
            best = avg
            best_state = {k: v.detach().clone() for k, v in head.state_dict().items()}
    head.load_state_dict(best_state)
    print("best", round(best, 4))


if __name__ == "__main__":
    main()
