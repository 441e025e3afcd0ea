# gradwatch-corpus: kind=none
# after: mahmoodlab/CLAM (features of a frozen encoder extracted once, attention MIL, gradient accumulation)
"""Slide-level grading with attention pooling. Tile features are computed at first use and kept."""
import torch
from torch import nn
from data import SlideBag
from mil import GatedAttention

torch.manual_seed(4)
ACCUM = 4


def main():
    bags = SlideBag(n_slides=48, tiles=40)
    model = GatedAttention(512)
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=1e-4)
    ce = nn.CrossEntropyLoss()
    skipped, curve, step = [], [], 0
    best = (float("inf"), None)
    for epoch in range(7):
        order = torch.randperm(len(bags)).tolist()
        running = 0.0
        opt.zero_grad()
        for k, i in enumerate(order, 1):
            try:
                feats, label = bags[i]
            except ValueError as err:
                skipped.append((epoch, i, str(err)))
                continue
            loss = ce(model(feats)[None], label[None]) / ACCUM
            loss.backward()
            running += loss.item()
            if k % ACCUM == 0:
                opt.step()
                opt.zero_grad()
                step += 1
                curve.append(running)
                running = 0.0
        mean = sum(curve[-12:]) / 12
        if mean < best[0]:
            best = (mean, {k: v.clone() for k, v in model.state_dict().items()})
        print(f"epoch {epoch} loss {mean:.4f} cached {len(bags.cache)} skipped {len(skipped)}")
    model.load_state_dict(best[1])


if __name__ == "__main__":
    main()
