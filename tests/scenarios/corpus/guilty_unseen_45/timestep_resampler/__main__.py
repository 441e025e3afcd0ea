# gradwatch-corpus: kind=graph-held
# holder: self._history | sampler._history | diffusion.sampler._history
# first-bad: 1
"""Tiny DDPM on two-dimensional spirals:  python -m timestep_resampler"""
import torch

from .diffusion import GaussianDiffusion
from .network import Denoiser
from .resample import LossAwareSampler


def spirals(n):
    r = torch.rand(n).sqrt()
    theta = 3.5 * 3.14159 * r + 3.14159 * torch.randint(0, 2, (n,))
    xy = torch.stack([r * torch.cos(theta), r * torch.sin(theta)], 1)
    return 2 * xy + 0.03 * torch.randn(n, 2)


def main(steps=160, batch=64, timesteps=20):
    torch.manual_seed(6)
    net = Denoiser(timesteps)
    sampler = LossAwareSampler(timesteps, per_step=8)
    diffusion = GaussianDiffusion(net, timesteps, sampler)
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
    for step in range(steps):
        loss = diffusion.training_loss(spirals(batch))
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 40 == 0:
            top = sampler.weights().topk(3).indices.tolist()
            print(f"step {step} loss {loss.item():.4f} heaviest t {top}")
    print("sample std", [round(v, 3) for v in diffusion.sample(200).std(0).tolist()])


if __name__ == "__main__":
    main()
