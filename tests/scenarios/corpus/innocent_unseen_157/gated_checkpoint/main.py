# gradwatch-corpus: kind=none
"""Deep residual regressor with recomputed blocks; gates are gathered by hooks for a sparsity term."""
import torch

from blocks import DeepStack
from gates import GateCollector

torch.set_num_threads(1)
torch.manual_seed(58)


def molecules(batch, width=10):
    while True:
        x = torch.randn(batch, width)
        yield x, (x[:, :4].prod(1) + x[:, 5].abs()).unsqueeze(1)


def micro_batches(x, y, size):
    yield from zip(x.split(size), y.split(size))


def main(updates=80):
    model = DeepStack(10, 16, depth=6)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    collector = GateCollector(model, strength=0.02)
    data = molecules(26)
    shown = []
    for update in range(updates):
        x, y = next(data)
        optimizer.zero_grad()
        for part_x, part_y in micro_batches(x, y, 8):
            share = len(part_x) / len(x)
            with collector:
                misfit = torch.nn.functional.mse_loss(model(part_x), part_y)
                loss = share * (misfit + collector.penalty())
            loss.backward()
            shown.append(misfit.item())
        optimizer.step()
        shown = shown[-40:]
        if update % 15 == 14:
            print(f"update {update + 1} misfit {sum(shown) / len(shown):.4f} open gates {collector.open_share:.3f}")


if __name__ == "__main__":
    main()
