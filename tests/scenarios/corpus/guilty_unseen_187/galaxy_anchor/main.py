# gradwatch-corpus: kind=graph-chain
# holder: self.anchor | model.anchor
# first-bad: 1
import torch

from model import GalaxyClassifier


def morphology(n, gen):
    y = torch.randint(0, 4, (n,), generator=gen)
    x = torch.randn(n, 10, generator=gen)
    x[:, 0] += 1.5 * (y == 0) - 1.5 * (y == 1)
    x[:, 1] += 1.5 * (y == 2)
    x[:, 2] *= 0.3 + 0.6 * y
    return x, y


class WindowAverage:
    def __init__(self):
        self.values = []

    def add(self, value):
        self.values.append(value)

    def flush(self):
        mean = sum(self.values) / len(self.values)
        self.values.clear()
        return mean


def main():
    torch.manual_seed(126)
    gen = torch.Generator().manual_seed(126)
    model = GalaxyClassifier()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.999)
    meter, accuracy = WindowAverage(), WindowAverage()
    for step in range(1, 421):
        x, y = morphology(32, gen)
        loss, ce = model.loss(x, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        model.update_anchor()
        meter.add(ce.item())
        if step % 20 == 0:
            with torch.no_grad():
                vx, vy = morphology(64, gen)
                accuracy.add((model(vx).argmax(1) == vy).float().mean().item())
        if step % 100 == 0:
            gap = (model.anchor - model.prototypes).norm().item()
            print(f"step {step} ce {meter.flush():.4f} acc {accuracy.flush():.3f} gap {gap:.4f}")


if __name__ == "__main__":
    main()
