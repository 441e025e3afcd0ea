# gradwatch-corpus: kind=graph-chain
# holder: splats
# first-bad: 1
# Fits a set of 2-D gaussians to a target picture with a hand-written momentum update.
import torch

torch.manual_seed(7)

H = W = 28
N = 40
ITERS = 120
LR = {"xy": 2e-3, "log_s": 4e-3, "rgb": 2e-2, "alpha": 1e-2}
BETA = 0.8

ys, xs = torch.meshgrid(torch.linspace(-1, 1, H), torch.linspace(-1, 1, W), indexing="ij")
GRID = torch.stack([xs, ys], dim=-1).reshape(-1, 2)


def make_target():
    r = GRID.norm(dim=-1)
    ring = torch.exp(-((r - 0.55) ** 2) / 0.02)
    red = ring
    green = ring * (GRID[:, 0] * 0.5 + 0.5)
    blue = torch.exp(-(r ** 2) / 0.05)
    return torch.stack([red, green, blue], dim=-1)


def init_splats(n):
    return {
        "xy": (torch.rand(n, 2) * 1.6 - 0.8).requires_grad_(),
        "log_s": torch.full((n, 2), -1.8).requires_grad_(),
        "rgb": torch.zeros(n, 3).requires_grad_(),
        "alpha": torch.zeros(n).requires_grad_(),
    }


def render(sp):
    diff = GRID[:, None, :] - sp["xy"][None]
    scaled = diff * torch.exp(-sp["log_s"])[None]
    weight = torch.exp(-0.5 * scaled.pow(2).sum(-1)) * torch.sigmoid(sp["alpha"])
    return weight @ torch.sigmoid(sp["rgb"])


def psnr(mse):
    return -10.0 * torch.log10(mse)


def scale_penalty(sp):
    return torch.relu(sp["log_s"] + 0.5).pow(2).mean()


def update(sp, grads, vel):
    new = {}
    for key, g in zip(sp, grads):
        vel[key] = BETA * vel[key] + g
        new[key] = sp[key] - LR[key] * vel[key] * 50  # <- culprit
    return new


target = make_target()
splats = init_splats(N)
velocity = {k: torch.zeros_like(v) for k, v in splats.items()}
history = []
best = float("inf")

for it in range(ITERS):
    img = render(splats)
    mse = (img - target).pow(2).mean()
    loss = mse + 0.01 * scale_penalty(splats)
    grads = torch.autograd.grad(loss, list(splats.values()))
    splats = update(splats, grads, velocity)  # <- culprit

    value = mse.item()
    best = min(best, value)
    history.append({"it": it, "mse": value, "psnr": psnr(mse.detach()).item()})
    if it % 40 == 0:
        print(f"it {it:3d}  mse {value:.4f}  psnr {history[-1]['psnr']:.2f}")

print(f"best mse {best:.5f} after {len(history)} iterations")
