# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
import torch

from system import TrunkSystem


def views(steps, batch, fin):
    w_like = torch.randn(fin)
    w_done = torch.randn(fin)
    for _ in range(steps):
        x = torch.randn(batch, fin)
        yield x, {
            "like": (x @ w_like > 1).float(),
            "completion": torch.sigmoid(x @ w_done / 3),
        }


def main():
    torch.manual_seed(52)
    system = TrunkSystem(18, 32, ["like", "completion"], {"like": 0.05, "completion": 0.1})
    sums = {}
    for step, (x, labels) in enumerate(views(120, 64, 18), start=1):
        for name, value in system.training_step(x, labels).items():
            sums[name] = sums.get(name, 0.0) + value
        if step % 30 == 0:
            print(step, {k: round(v / step, 4) for k, v in sums.items()})


if __name__ == "__main__":
    main()
