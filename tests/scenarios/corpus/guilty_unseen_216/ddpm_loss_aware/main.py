# gradwatch-corpus: kind=graph-held
# holder: self.history | sampler.history | schedule_sampler.history
# first-bad: 1
import torch

from diffusion import GaussianDiffusion
from nn import Denoiser
from resample import create_named_schedule_sampler


def swiss_roll(n):
    t = 1.5 * torch.pi * (1 + 2 * torch.rand(n))
    pts = torch.stack([t * torch.cos(t), t * torch.sin(t)], 1) / 10
    return pts + 0.02 * torch.randn(n, 2)


def run_loop(iters=150, batch=128, log_interval=30):
    diffusion = GaussianDiffusion(steps=64)
    model = Denoiser()
    schedule_sampler = create_named_schedule_sampler("loss-second-moment", diffusion)
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    ema = [p.detach().clone() for p in model.parameters()]

    for i in range(iters):
        x0 = swiss_roll(batch)
        t, weights = schedule_sampler.sample(batch)
        terms = diffusion.training_losses(model, x0, t)
        schedule_sampler.update_with_all_losses(t, terms["loss"])  # <- culprit
        loss = (terms["loss"] * weights).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        with torch.no_grad():
            for e, p in zip(ema, model.parameters()):
                e.lerp_(p, 0.01)
        if i % log_interval == 0:
            print(f"{i} loss {loss.item():.4f} mse {terms['mse'].mean().item():.4f} warm {schedule_sampler.warmed_up()}")


if __name__ == "__main__":
    torch.manual_seed(17)
    run_loop()
