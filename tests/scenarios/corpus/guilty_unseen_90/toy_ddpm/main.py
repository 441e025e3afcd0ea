# gradwatch-corpus: kind=graph-held
# holder: self.mean | self.m2 | b.mean | b.m2 | self.bins | self.meters.bins | cbs.items[1].meters.bins[0].mean
# first-bad: 1
# notice: 8
"""DDPM on 2-D toy data (tanelp/tiny-diffusion style)."""
import torch

from callbacks import CallbackList, LossByTimestep, Throughput
from denoiser import Denoiser
from schedule import NoiseSchedule


def spirals(n):
    t = 3.0 * torch.rand(n).sqrt() * 3.1416
    sign = torch.randint(0, 2, (n,)) * 2.0 - 1.0
    pts = torch.stack([t.cos() * t, t.sin() * t], -1) * sign[:, None]
    return pts / 6.0 + 0.02 * torch.randn(n, 2)


def main(iterations=360, batch=96, timesteps=50):
    torch.set_num_threads(1)
    torch.manual_seed(21)
    data = spirals(4000)
    sched = NoiseSchedule(timesteps)
    model = Denoiser(timesteps)
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    cbs = CallbackList([Throughput(), LossByTimestep(timesteps, n_bins=5, every=90)])

    for it in range(iterations):
        x0 = data[torch.randint(len(data), (batch,))]
        t = torch.randint(timesteps, (batch,))
        noise = torch.randn_like(x0)
        pred = model(sched.add_noise(x0, noise, t), t)
        per_sample = (pred - noise).pow(2).mean(-1)
        loss = per_sample.mean()
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        cbs.fire("on_step", it=it, t=t, per_sample=per_sample, batch=batch)  # <- culprit
    cbs.fire("on_end")


if __name__ == "__main__":
    main()
