# gradwatch-corpus: kind=second-backward
# holder: roughness
# first-bad: 0
# notice: 0
"""Sedimentary-basin depth from a gravity profile, by quasi-Newton descent.

The basin is a row of vertical prisms with a constant density contrast. The
depths are kept positive through a softplus and tied to their neighbours by a
first-difference penalty whose weight is cooled from one outer pass to the next.
"""
import argparse
import math

import torch
import torch.nn.functional as F

G = 6.674e-11
MGAL = 1e5


def prism_response(xs, centres, half_width, depth, contrast):
    """Vertical attraction of 2-D prisms reaching from the surface to ``depth``."""
    dx = xs[:, None] - centres[None, :]
    left, right = dx - half_width, dx + half_width
    d2 = depth.square()[None, :]

    def edge(u):
        return u * torch.log((u.square() + d2) / (u.square() + 1.0))

    angle = depth * (torch.atan(right / depth) - torch.atan(left / depth))
    return G * contrast * MGAL * (edge(right) - edge(left) + 2.0 * angle).sum(dim=1)


class BasinModel:
    """Depths of the prisms in a softplus parametrisation (metres)."""

    def __init__(self, n, width):
        self.centres = (torch.arange(n, dtype=torch.float64) + 0.5) * width
        self.half = 0.5 * width
        self.raw = torch.full((n,), 0.5, dtype=torch.float64, requires_grad=True)

    def depth(self):
        return 1000.0 * F.softplus(self.raw)

    def predict(self, xs):
        return prism_response(xs, self.centres, self.half, self.depth(), contrast=-400.0)


def first_differences(depth):
    return ((depth[1:] - depth[:-1]) / 1000.0).square().sum()


def synthetic_profile(n_obs, length, seed):
    torch.manual_seed(seed)
    xs = torch.linspace(0.0, length, n_obs, dtype=torch.float64)
    truth = BasinModel(30, length / 30)
    u = truth.centres / length
    depth = 300.0 + 1800.0 * torch.exp(-((u - 0.4) / 0.15) ** 2)
    g = prism_response(xs, truth.centres, truth.half, depth, contrast=-400.0)
    return xs, g + 0.2 * torch.randn(n_obs, dtype=torch.float64), depth


def invert(xs, observed, outer, weight, cooling):
    model = BasinModel(30, float(xs[-1]) / 30)
    opt = torch.optim.LBFGS([model.raw], lr=0.5, max_iter=8, history_size=10,
                            line_search_fn="strong_wolfe")
    misfits = []
    for it in range(outer):
        roughness = weight * first_differences(model.depth())  # <- culprit

        def closure():
            opt.zero_grad()
            misfit = (model.predict(xs) - observed).square().mean()
            objective = misfit + roughness
            objective.backward()  # <- culprit
            return objective

        value = opt.step(closure)
        misfits.append(float(value))
        weight *= cooling
        if it % 10 == 0:
            print(f"outer {it:3d}  objective {misfits[-1]:.4f}  weight {weight:.3g}")
    return model, misfits


def main():
    parser = argparse.ArgumentParser(description="gravity inversion")
    parser.add_argument("--outer", type=int, default=60)
    parser.add_argument("--weight", type=float, default=1.0)
    parser.add_argument("--cooling", type=float, default=0.95)
    args = parser.parse_args()

    torch.set_num_threads(1)
    xs, observed, truth = synthetic_profile(80, 30e3, seed=5)
    model, _ = invert(xs, observed, args.outer, args.weight, args.cooling)
    err = (model.depth().detach() - truth).square().mean().item()
    print(f"rms depth error {math.sqrt(err):.1f} m")


if __name__ == "__main__":
    main()
