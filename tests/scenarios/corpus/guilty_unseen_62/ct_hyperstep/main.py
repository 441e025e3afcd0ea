# gradwatch-corpus: kind=graph-chain
# holder: self.image | descent.image
# first-bad: 11
# notice: 40
"""Few-view tomography with edge-preserving regularisation."""
import argparse

import torch

from projector import phantom, ray_matrix
from recon import HyperDescent


def edge_penalty(flat, size, eps=1e-2):
    """Smoothed total variation."""
    img = flat.view(size, size)
    dx = img[:, 1:] - img[:, :-1]
    dy = img[1:, :] - img[:-1, :]
    return (dx.square() + eps).sqrt().mean() + (dy.square() + eps).sqrt().mean()


class Objective:
    def __init__(self, rays, sinogram, size, weight):
        self.rays, self.sinogram = rays, sinogram
        self.size, self.weight = size, weight

    def __call__(self, image):
        misfit = 0.5 * (self.rays @ image - self.sinogram).square().sum()
        return misfit + self.weight * edge_penalty(image, self.size)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--size", type=int, default=20)
    ap.add_argument("--angles", type=int, default=10)
    ap.add_argument("--iters", type=int, default=100)
    ap.add_argument("--weight", type=float, default=0.05)
    ap.add_argument("--block", type=int, default=20)
    args = ap.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(0)
    truth = phantom(args.size)
    rays = ray_matrix(args.size, args.angles, n_bins=28)
    sinogram = rays @ truth
    sinogram = sinogram + 0.01 * torch.randn_like(sinogram)

    objective = Objective(rays, sinogram, args.size, args.weight)
    descent = HyperDescent(torch.zeros_like(truth), block=args.block, lr0=0.3)
    curve = []
    for it in range(args.iters):
        curve.append(descent.step(objective))
        if it % 10 == 0:
            rates = descent.log_lr.detach().exp()
            err = (descent.image.detach() - truth).square().mean().sqrt().item()
            print(f"iter {it:3d}  loss {curve[-1]:.4f}  rmse {err:.4f}  "
                  f"rate {rates.min().item():.3f}..{rates.max().item():.3f}")
    print(f"loss went from {curve[0]:.3f} to {curve[-1]:.3f}")


if __name__ == "__main__":
    main()
