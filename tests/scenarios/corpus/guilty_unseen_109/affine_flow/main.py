# gradwatch-corpus: kind=graph-chain
# holder: self.stat_sum | layer.stat_sum | flow.layers[0].stat_sum | self.layers[0].stat_sum
# first-bad: 61
# notice: 5
"""Density estimation of calorimeter showers (toy) with a small RealNVP-like flow.

cfg["schedule"] switches the input layer from per-batch to population centering once the shift has
settled down.
"""
import torch

from flows.registry import build
from flows import layers  # noqa: F401  (registers the layers)
from flows.flow import Flow

cfg = {
    "seed": 11,
    "dim": 6,
    "steps": 260,
    "lr": 2e-3,
    "schedule": {0: "batch", 60: "population"},
    "layers": [
        {"type": "shift_center", "dim": 6},
        {"type": "coupling", "dim": 6, "hidden": 24, "flip": False},
        {"type": "coupling", "dim": 6, "hidden": 24, "flip": True},
        {"type": "diag_scale", "dim": 6},
    ],
}


def showers(n, dim):
    e = torch.rand(n, 1) * 2 + 0.5
    depth = torch.linspace(0, 1, dim)
    profile = e * torch.exp(-(depth - 0.4 * e) ** 2 * 3)
    return profile + 0.1 * torch.randn(n, dim)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(cfg["seed"])
    flow = Flow([build(c) for c in cfg["layers"]])
    opt = torch.optim.Adam(flow.parameters(), lr=cfg["lr"])
    for step in range(cfg["steps"]):
        if step in cfg["schedule"]:
            flow.set_mode(cfg["schedule"][step])
        nll = -flow.log_prob(showers(64, cfg["dim"])).mean()
        opt.zero_grad()
        nll.backward()
        torch.nn.utils.clip_grad_norm_(flow.parameters(), 5.0)
        opt.step()
        if step % 40 == 0:
            print(f"step {step:3d} nll {nll.item():.4f}")


main()
