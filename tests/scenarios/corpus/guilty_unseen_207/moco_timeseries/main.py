# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
import torch

from contrast import Moco
from windows import WindowPairs


def main(steps=500):
    torch.manual_seed(37)
    moco = Moco(length=32, dim=12, size=128)
    optim = torch.optim.SGD(moco.query.parameters(), lr=0.03, momentum=0.9, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(optim, steps)
    for step, (a, b) in enumerate(WindowPairs(steps, batch=16, length=32)):
        loss = moco(a, b)
        optim.zero_grad()
        loss.backward()
        optim.step()
        sched.step()
        if step % 100 == 0:
            print(step, f"{loss.item():.4f}")


if __name__ == "__main__":
    main()
