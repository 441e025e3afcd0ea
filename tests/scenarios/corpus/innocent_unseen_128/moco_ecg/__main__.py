# gradwatch-corpus: kind=none
import torch
torch.set_num_threads(1)
from .moco import MoCo
from .signals import beats


def main():
    torch.manual_seed(12)
    moco = MoCo(dim=12, size=128, m=0.99, temp=0.2)
    opt = torch.optim.SGD(moco.q.parameters(), 0.03, momentum=0.9, weight_decay=1e-4)
    running = 0.0
    for it, (a, b) in zip(range(600), beats(16)):
        loss = moco(a, b)
        opt.zero_grad()
        loss.backward()
        opt.step()
        running = 0.98 * running + 0.02 * loss.detach()
        if it % 150 == 0:
            print(it, running.item())


if __name__ == "__main__":
    main()
