# gradwatch-corpus: kind=none
"""Rainfall nowcast by five heads on one trunk; each head's gradient in the trunk is taken by itself
so that heads which pull against each other can be projected apart. The three best states are kept."""
import torch

from gauges import GaugeField
from heads import TrunkEnsemble
from keeper import BestStates
from surgery import projected_backward


def pinball(pred, target, q):
    err = target - pred
    return torch.maximum(q * err, (q - 1) * err).mean()


QUANTILES = (0.1, 0.3, 0.5, 0.7, 0.9)


@torch.no_grad()
def validate(model, x, y):
    model.eval()
    score = sum(pinball(p, y, q).item() for p, q in zip(model(x), QUANTILES)) / len(QUANTILES)
    model.train()
    return score


def main():
    torch.manual_seed(55)
    torch.set_num_threads(1)
    field = GaugeField(stations=10, lags=4, seed=56)
    model = TrunkEnsemble(field.width, 32, len(QUANTILES))
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    keeper = BestStates(keep=3)
    held_x, held_y = field.batch(200)
    score = float("nan")
    for it in range(300):
        x, y = field.batch(32)
        losses = [pinball(p, y, q) for p, q in zip(model(x), QUANTILES)]
        optimizer.zero_grad()
        projected_backward(losses, list(model.trunk.parameters()), list(model.heads.parameters()))
        optimizer.step()
        if it % 5 == 4:
            score = validate(model, held_x, held_y)
            keeper.offer(score, it, model)
        if it % 75 == 74:
            print(f"{it + 1:3d} held-out pinball {score:.4f}  kept {keeper.describe()}")
    model.load_state_dict(keeper.average())
    print(f"average of the best states: {validate(model, held_x, held_y):.4f}")


if __name__ == "__main__":
    main()
