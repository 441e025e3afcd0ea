# gradwatch-corpus: kind=none
import torch
import torch.nn.functional as F

from .chain import Chain
from .model import SetRegressor, minute


def drift(chain):
    """Mean distance between the pooled codes of successive minutes."""
    distances, newer = [], None
    for pooled, _ in chain:
        code = pooled.detach().mean(0)
        if newer is not None:
            distances.append((newer - code).norm())
        newer = code
    return torch.stack(distances).mean().item() if distances else 0.0


def main(minutes=520):
    torch.manual_seed(73)
    model = SetRegressor()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3, betas=(0.9, 0.98))
    chain = Chain(depth=40)

    for i in range(minutes):
        bees, present, weight = minute()
        predicted, pooled = model(bees, present)
        loss = F.mse_loss(predicted, weight)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        chain.push((pooled, loss))
        if i % 65 == 64:
            losses = [l.item() for _, l in chain]
            print(f"{i + 1}: mse {sum(losses) / len(losses):.4f} drift {drift(chain):.3f} over {len(losses)}")


if __name__ == "__main__":
    main()
