# gradwatch-corpus: kind=graph-chain
# holder: self.smooth | weighting.smooth
# first-bad: 1
import torch

from data import loader
from model import SharedTrunk
from weighting import SmoothedUncertainty

torch.set_num_threads(1)


def main(epochs=5):
    torch.manual_seed(11)
    model = SharedTrunk(20, 48, n_tasks=3)
    weighting = SmoothedUncertainty(3)
    optim = torch.optim.Adam([
        {"params": model.parameters(), "lr": 2e-3},
        {"params": weighting.parameters(), "lr": 1e-2},
    ])
    for epoch in range(epochs):
        seen, total = 0, 0.0
        for x, ys in loader(n=640, batch=32, seed=epoch):
            preds = model(x)
            per_task = torch.stack([torch.nn.functional.smooth_l1_loss(p, y) for p, y in zip(preds, ys)])
            loss = weighting(per_task)
            optim.zero_grad()
            loss.backward()
            optim.step()
            total += loss.item() * len(x)
            seen += len(x)
        print(f"epoch {epoch}: loss={total / seen:.4f} sigma={weighting.sigmas()}")


if __name__ == "__main__":
    main()
