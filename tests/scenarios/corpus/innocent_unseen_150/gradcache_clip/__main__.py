# gradwatch-corpus: kind=none
"""Image/caption matching; negatives from the earlier micro-batches of the same group, gradients through them too."""
import torch

from .data import pairs
from .towers import TwoTower
from .negatives import GroupQueue

torch.manual_seed(6)
torch.set_num_threads(1)

GROUP = 10


def main():
    model = TwoTower(20, 14, 16)
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    queue = GroupQueue()
    for group in range(100):
        opt.zero_grad()
        log = []
        for micro in range(GROUP):
            img, txt = pairs(8)
            a, b = model(img, txt)
            loss = queue.loss(a, b, model.scale) / GROUP
            loss.backward(retain_graph=micro < GROUP - 1)
            queue.push(b)
            log.append(loss.item() * GROUP)
        opt.step()
        queue.clear()
        if group % 20 == 19:
            print(group, f"{sum(log) / GROUP:.4f}")


main()
