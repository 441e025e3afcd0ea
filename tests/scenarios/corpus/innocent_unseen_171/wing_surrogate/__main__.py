# gradwatch-corpus: kind=none
"""Fits the wing-section surrogate (python -m wing_surrogate)."""
import torch
import torch.nn.functional as F

from .surrogate import Averaged, LiftNet, LossBalance
from .tunnel import draw


def main(steps=800, batch=64, seed=19):
    torch.manual_seed(seed)
    g = torch.Generator().manual_seed(seed)
    net = LiftNet()
    balance = LossBalance(("lift", "slope"))
    average = Averaged(net)
    opt = torch.optim.Adam([
        {"params": net.parameters(), "lr": 3e-3},
        {"params": list(balance.log_var.values()), "lr": 1e-3},
    ])
    best = None
    for step in range(1, steps + 1):
        section, lift, slope = draw(batch, g)
        p_lift, p_slope = net.with_slope(section)
        loss = balance({"lift": F.mse_loss(p_lift, lift), "slope": F.mse_loss(p_slope, slope) / 10})
        if best is None or loss < best[0]:
            best = (loss, step)
        opt.zero_grad()
        loss.backward()
        opt.step()
        average.follow(net)
        if step % 100 == 0:
            section, lift, _ = draw(256, g)
            mae = (average.predict(net, section) - lift).abs().mean().item()
            print(f"{step}: {balance.describe()}  averaged MAE {mae:.4f}  best so far at {best[1]}")
    print(f"lowest objective {best[0].item():.4f} (step {best[1]})")


if __name__ == "__main__":
    main()
