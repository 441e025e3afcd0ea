# gradwatch-corpus: kind=none
import torch

from .nets import Discriminator, Generator
from .pool import ImagePool
from .steps import GanStep


def stripes(n):
    x = torch.linspace(0, 6.28, 16)
    f = 1 + 3 * torch.rand(n, 1, 1)
    ph = 6.28 * torch.rand(n, 1, 1)
    return torch.sin(f * x.view(1, 1, 16) + ph).expand(n, 16, 16).unsqueeze(1)


def main(iters=120, batch=8):
    torch.set_num_threads(1)
    torch.manual_seed(77)
    step = GanStep(Generator(12, 8), Discriminator(8), ImagePool(50))
    history = {"d": [], "g": [], "fm": []}
    for it in range(iters):
        out = step(stripes(batch), torch.randn(batch, 12))
        for k, v in out.items():
            history[k].append(v)
        if it % 30 == 0:
            print(f"iter {it} " + " ".join(f"{k}={torch.stack(v[-10:]).mean().item():.4f}" for k, v in history.items()))
    print("pool", len(step.pool.images), "logged", len(history["d"]))


if __name__ == "__main__":
    main()
