# gradwatch-corpus: kind=none
"""Momentum contrast on synthetic heart beats."""
import torch

from .beats import beat_views
from .moco import MoCo

torch.set_num_threads(1)
torch.manual_seed(77)


def main(steps=110):
    moco = MoCo(dim=16, slots=160)
    optimizer = torch.optim.SGD(moco.query.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.1, total_iters=steps)
    meter = {"loss": 0.0, "acc": 0.0}
    for step, (first, second) in enumerate(beat_views(steps, 16)):
        logits, keys = moco(first, second)
        labels = torch.zeros(len(logits), dtype=torch.long)
        loss = torch.nn.functional.cross_entropy(logits, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        moco.enqueue(keys)
        for name, value in (("loss", loss), ("acc", (logits.argmax(1) == 0).float().mean())):
            meter[name] = 0.9 * meter[name] + 0.1 * value.item()
        if step % 22 == 21:
            print(f"step {step + 1:3d} " + " ".join(f"{k} {v:.4f}" for k, v in meter.items()))


main()
