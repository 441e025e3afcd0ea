# gradwatch-corpus: kind=graph-chain
# holder: heavy.velocity | self.velocity | ball.velocity
# first-bad: 1
"""Joint recovery of an albedo map and a lighting direction from one shaded image (Lambertian, heavy-ball inner step).

The lighting angles are trained through the albedo update, i.e. through the gradient of the photometric error.
"""
import math
import types

import torch

SIZE, TURNS = 28, 180


def bumpy_normals(n):
    yy, xx = torch.meshgrid(torch.linspace(-1, 1, n), torch.linspace(-1, 1, n), indexing="ij")
    height = 0.3 * torch.sin(4 * xx) * torch.cos(3 * yy)
    dy, dx = torch.gradient(height, spacing=2 / (n - 1))
    nrm = torch.stack([-dx, -dy, torch.ones_like(dx)], -1)
    return nrm / nrm.norm(dim=-1, keepdim=True)


def sun(raw):
    """Two unconstrained numbers to a unit vector in the upper half space."""
    t = torch.tanh(raw)
    tilt, turn = (t[0] + 1) * math.pi / 4, t[1] * math.pi
    return torch.stack([torch.sin(tilt) * torch.cos(turn), torch.sin(tilt) * torch.sin(turn), torch.cos(tilt)])


def shade(albedo, normals, direction):
    return albedo * torch.relu(normals @ direction)


class HeavyBall:
    def __init__(self, eta, mu):
        self.eta, self.mu = eta, mu
        self.velocity = None

    def move(self, albedo, slope):
        v = slope if self.velocity is None else self.mu * self.velocity + slope
        self.velocity = v  # <- culprit
        return albedo - self.eta * v


def main():
    torch.manual_seed(3)
    normals = bumpy_normals(SIZE)
    paint = (torch.rand(1, 1, 6, 6) * 0.7 + 0.3)
    paint = torch.nn.functional.interpolate(paint, size=(SIZE, SIZE)).squeeze()
    photo = shade(paint, normals, sun(torch.tensor([0.3, -0.2]))) + 0.01 * torch.randn(SIZE, SIZE)

    scene = types.SimpleNamespace(albedo=torch.full((SIZE, SIZE), 0.6), raw=torch.tensor([0.0, 0.1], requires_grad=True))
    heavy = HeavyBall(eta=0.15, mu=0.6)
    light_opt = torch.optim.Adam([scene.raw], lr=5e-3)
    for turn in range(TURNS):
        albedo = scene.albedo.requires_grad_()
        direction = sun(scene.raw)
        misfit = (shade(albedo, normals, direction) - photo).pow(2).sum()
        (slope,) = torch.autograd.grad(misfit, albedo, create_graph=True)
        moved = heavy.move(albedo, slope)
        flat = (moved[1:] - moved[:-1]).abs().mean() + (moved[:, 1:] - moved[:, :-1]).abs().mean()
        outer = (shade(moved, normals, direction) - photo).pow(2).mean() + 0.01 * flat
        light_opt.zero_grad()
        outer.backward(retain_graph=True)  # <- culprit
        light_opt.step()
        scene.albedo = moved.detach().clamp(0, 1.5)
        if turn % 30 == 0:
            err = (scene.albedo - paint).abs().mean().item()
            print(f"turn {turn:3d} photometric {misfit.item():.3f} albedo error {err:.4f} sun {direction.tolist()}")


if __name__ == "__main__":
    main()
