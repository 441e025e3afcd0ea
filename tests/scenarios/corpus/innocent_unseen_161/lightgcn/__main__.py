# gradwatch-corpus: kind=none
import numpy as np
import torch

from .model import LightGCN, bpr

torch.set_num_threads(1)
torch.manual_seed(40)
rng = np.random.default_rng(40)
likes = rng.random((60, 50)) < 0.12
model = LightGCN(torch.from_numpy(likes))
opt = torch.optim.Adam(model.parameters(), lr=0.02)
users, items = np.nonzero(likes)
for step in range(100):
    opt.zero_grad()
    with model.fresh():
        total = 0.0
        for part in range(3):
            pick = rng.integers(0, len(users), size=64)
            neg = torch.from_numpy(rng.integers(0, 50, size=64))
            loss = bpr(model, torch.from_numpy(users[pick]), torch.from_numpy(items[pick]), neg)
            (loss / 3).backward(retain_graph=part < 2)
            total += loss.item() / 3
    opt.step()
    if step % 20 == 0:
        print(f"{step} bpr {total:.4f} rebuilt {model.rebuilt}")
