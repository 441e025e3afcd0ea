# gradwatch-corpus: kind=graph-chain
# holder: curv
# first-bad: 1
"""Optimise the four curvatures of an air spaced doublet so that three field angles focus sharply.
2D meridional ray trace, sequential spherical surfaces. Plain momentum descent, no nn.Module needed."""
import math

import torch

torch.manual_seed(0)
torch.set_default_dtype(torch.float64)

#            thickness after surface, refractive index after surface (d, F, C lines)
SURFACES = [
    (0.35, (1.5168, 1.5224, 1.5143)),
    (0.12, (1.0, 1.0, 1.0)),
    (0.15, (1.6200, 1.6321, 1.6150)),
    (4.60, (1.0, 1.0, 1.0)),
]
FIELDS = [0.0, math.radians(2.0), math.radians(3.5)]
PUPIL = torch.linspace(-0.45, 0.45, 15)


def refract(y, slope, c, n1, n2):
    """exact snell refraction at a sphere with curvature c, rays given at the vertex plane"""
    # a couple of fixed point steps for the sag are plenty at f/5
    z = 0.5 * c * y ** 2
    for _ in range(2):
        yy = y + slope * z
        z = c * yy ** 2 / (1 + torch.sqrt((1 - (c * yy) ** 2).clamp_min(1e-6)))
    y_hit = y + slope * z
    normal = torch.asin((c * y_hit).clamp(-0.95, 0.95))
    inc = torch.atan(slope) + normal
    out = torch.asin((n1 / n2 * torch.sin(inc)).clamp(-0.95, 0.95)) - normal
    s = torch.tan(out)
    return y_hit - s * z, s


def trace(curv, theta, line):
    y = PUPIL.clone()
    slope = torch.full_like(y, math.tan(theta))
    n = 1.0
    for k, (gap, idx) in enumerate(SURFACES):
        y, slope = refract(y, slope, curv[k], n, idx[line])
        n = idx[line]
        y = y + slope * gap
    return y


def spot(curv):
    total = 0.0
    for theta in FIELDS:
        hits = torch.cat([trace(curv, theta, line) for line in range(3)])
        total = total + ((hits - hits.mean()) ** 2).mean()
    return total / len(FIELDS)


curv = torch.tensor([0.20, -0.25, -0.24, -0.02], requires_grad=True)
speed = torch.zeros(4)
step_size, inertia = 0.05, 0.9
start = None

for k in range(320):
    merit = spot(curv) + 1e-5 * (curv ** 2).sum()
    # .grad stays None otherwise (UserWarning: accessing .grad of a non-leaf)
    curv.retain_grad()
    merit.backward()
    g = curv.grad
    g = g * (0.2 / g.norm().clamp_min(0.2))
    speed = inertia * speed - step_size * g
    curv = curv + speed  # <- culprit
    rms = math.sqrt(max(merit.item(), 0.0)) * 1e3
    start = start or rms
    if k % 40 == 0:
        radii = ", ".join(f"{1 / v:8.3f}" for v in curv.tolist())
        print(f"step {k:3d}  rms spot {rms:8.3f} um   R = [{radii}]")
    if k in (150, 240):
        step_size *= 0.5

print(f"rms spot {start:.2f} -> {rms:.2f} um")
