# gradwatch-corpus: kind=graph-chain
# holder: params | new_params
# first-bad: 1
"""Regression of protein content from NIR spectra, jax-style functional updates."""
import math
import torch
from torch.func import functional_call
from torch import nn

SEED = 5
STEPS = 150
BATCH = 48


def build_model(n_bands=64):
    return nn.Sequential(
        nn.Conv1d(1, 8, 7, stride=2, padding=3),
        nn.GELU(),
        nn.Conv1d(8, 12, 5, stride=2, padding=2),
        nn.GELU(),
        nn.Flatten(),
        nn.Linear(12 * (n_bands // 4), 1),
    )


def sample_spectra(gen, batch, n_bands=64):
    grid = torch.linspace(0, 1, n_bands)
    protein = torch.rand(batch, 1, generator=gen)
    centre = 0.3 + 0.1 * torch.rand(batch, 1, generator=gen)
    peak = protein * torch.exp(-((grid - centre) ** 2) / 0.01)
    tilt = torch.randn(batch, 1, generator=gen) * 0.1 * grid
    noise = 0.02 * torch.randn(batch, n_bands, generator=gen)
    return (peak + tilt + noise).unsqueeze(1), protein


def cosine_lr(step, base=0.08, total=STEPS):
    return 0.5 * base * (1 + math.cos(math.pi * step / total))


def loss_fn(model, params, batch):
    x, y = batch
    pred = functional_call(model, params, (x,))
    return nn.functional.smooth_l1_loss(pred, y, beta=0.2)


def sgd_update(params, grads, velocity, lr, momentum=0.9):
    new_params = {}
    new_velocity = {}
    for (name, p), g in zip(params.items(), grads):
        v = momentum * velocity[name] + g
        new_velocity[name] = v
        new_params[name] = p - lr * v  # <- culprit
    return new_params, new_velocity


def train():
    torch.manual_seed(SEED)
    gen = torch.Generator().manual_seed(SEED)
    model = build_model()
    params = {k: v.detach().clone().requires_grad_() for k, v in model.named_parameters()}
    velocity = {k: torch.zeros_like(v) for k, v in params.items()}
    log = []
    for step in range(STEPS):
        batch = sample_spectra(gen, BATCH)
        loss = loss_fn(model, params, batch)
        grads = torch.autograd.grad(loss, list(params.values()))
        norm = torch.sqrt(sum((g ** 2).sum() for g in grads))
        scale = min(1.0, 1.0 / (norm.item() + 1e-6))
        grads = [g * scale for g in grads]
        params, velocity = sgd_update(params, grads, velocity, cosine_lr(step))  # <- culprit
        log.append(loss.item())
        if (step + 1) % 30 == 0:
            recent = sum(log[-30:]) / 30
            print(f"[{step + 1:4d}] huber={recent:.5f} gnorm={norm.item():.3f}")
    return params


if __name__ == "__main__":
    train()
