# gradwatch-corpus: kind=memory-climb
# holder: recon.frames | self.frames
# first-bad: 1
# notice: 60
"""Gradient refinement of a small density volume from axis projections; convergence is judged on volume change."""
import torch

torch.set_num_threads(1)


class Reconstruction:
    def __init__(self, side=32, lr=0.05):
        self.volume = torch.zeros(side, side, side, requires_grad=True)
        self.opt = torch.optim.Adam([self.volume], lr=lr)
        self.frames = []

    def project(self, axis):
        return self.volume.sum(axis) / self.volume.shape[axis]

    def refine(self, axis, image):
        loss = (self.project(axis) - image).square().mean() + 1e-4 * self.volume.abs().mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.frames.append(self.volume.detach().clone())  # <- culprit
        return loss.item()

    def change(self):
        if len(self.frames) < 2:
            return float("nan")
        return float((self.frames[-1] - self.frames[-2]).abs().max())


def phantom(side):
    g = torch.linspace(-1, 1, side)
    z, y, x = torch.meshgrid(g, g, g, indexing="ij")
    ball = ((x ** 2 + y ** 2 + z ** 2) < 0.4).float()
    rod = ((x.abs() < 0.1) & (y.abs() < 0.1)).float()
    return ball + rod


def main():
    torch.manual_seed(33)
    density = phantom(32)
    recon = Reconstruction()
    for n in range(480):
        axis = n % 3
        image = density.sum(axis) / 32 + 0.01 * torch.randn(32, 32)
        loss = recon.refine(axis, image)
        if n % 60 == 0:
            print(f"pass {n:3d}  loss {loss:.5f}  change {recon.change():.4f}")


main()
