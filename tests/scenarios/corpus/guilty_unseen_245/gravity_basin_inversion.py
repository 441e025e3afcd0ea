# gradwatch-corpus: kind=graph-chain
# holder: smooth_misfit
# first-bad: 1
"""Stochastic inversion of surface gravity for density contrasts in a basin."""
import argparse
from dataclasses import dataclass

import torch


@dataclass
class Survey:
    stations: torch.Tensor
    cells: torch.Tensor
    kernel: torch.Tensor
    observed: torch.Tensor


class ApplyKernel(torch.autograd.Function):
    """d = G m, with the adjoint written out."""

    @staticmethod
    def forward(ctx, kernel, density):
        ctx.save_for_backward(kernel)
        return kernel @ density

    @staticmethod
    def backward(ctx, grad_out):
        (kernel,) = ctx.saved_tensors
        return None, kernel.t() @ grad_out


def vertical_kernel(stations, cells, volume):
    dx = stations[:, None, 0] - cells[None, :, 0]
    dz = stations[:, None, 1] - cells[None, :, 1]
    r2 = dx.square() + dz.square()
    return volume * dz.abs() / r2.pow(1.5)


def make_survey(n_stations, nx, nz, noise):
    x = torch.linspace(0, 10, nx)
    z = torch.linspace(-0.5, -4, nz)
    gx, gz = torch.meshgrid(x, z, indexing="ij")
    cells = torch.stack([gx.reshape(-1), gz.reshape(-1)], dim=1)
    stations = torch.stack([torch.linspace(0, 10, n_stations), torch.zeros(n_stations)], dim=1)
    kernel = vertical_kernel(stations, cells, volume=0.3)
    basin = torch.exp(-((gx - 5) / 2).square() - ((gz + 1.5) / 1).square()).reshape(-1)
    observed = kernel @ (-0.4 * basin)
    observed = observed + noise * observed.std() * torch.randn(n_stations)
    return Survey(stations, cells, kernel, observed)


def roughness(density, nx, nz):
    image = density.view(nx, nz)
    lateral = image[1:] - image[:-1]
    vertical = image[:, 1:] - image[:, :-1]
    return lateral.square().mean() + vertical.square().mean()


def misfit_of(survey, density, chosen):
    predicted = ApplyKernel.apply(survey.kernel[chosen], density)
    residual = predicted - survey.observed[chosen]
    return torch.log1p(residual.square()).mean()


def invert(survey, nx, nz, args):
    density = torch.zeros(nx * nz, requires_grad=True)
    optimizer = torch.optim.Adam([density], lr=args.lr)
    smooth_misfit = None
    for it in range(args.iterations):
        chosen = torch.randperm(len(survey.observed))[: args.subset]
        misfit = misfit_of(survey, density, chosen)
        if smooth_misfit is None:
            smooth_misfit = misfit
        else:
            smooth_misfit = args.memory * smooth_misfit + (1 - args.memory) * misfit  # <- culprit
        objective = smooth_misfit + args.beta * roughness(density, nx, nz)
        optimizer.zero_grad(set_to_none=True)
        objective.backward(retain_graph=True)  # <- culprit
        optimizer.step()
        if it % 20 == 0:
            print(f"it {it:3d}  smoothed misfit {float(smooth_misfit.detach()):.5f}")
    return density.detach()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--stations", type=int, default=120)
    parser.add_argument("--nx", type=int, default=40)
    parser.add_argument("--nz", type=int, default=14)
    parser.add_argument("--subset", type=int, default=60)
    parser.add_argument("--iterations", type=int, default=120)
    parser.add_argument("--memory", type=float, default=0.7)
    parser.add_argument("--beta", type=float, default=0.1)
    parser.add_argument("--lr", type=float, default=0.01)
    args = parser.parse_args()

    torch.manual_seed(5)
    survey = make_survey(args.stations, args.nx, args.nz, noise=0.03)
    density = invert(survey, args.nx, args.nz, args)
    print(f"density contrast range {density.min():.3f} .. {density.max():.3f}")


if __name__ == "__main__":
    main()
