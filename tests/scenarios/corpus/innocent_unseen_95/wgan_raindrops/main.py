# gradwatch-corpus: kind=none
"""WGAN-GP for daily rainfall curves."""
import torch

from gan import WGANGP
from meters import AverageMeter
from nets import Critic, Generator
from rain import rain_days


def train(n_gen_steps=160, n_critic=3):
    gan = WGANGP(Generator(z_dim=8), Critic())
    meters = {k: AverageMeter() for k in ("wdist", "gp", "gen")}
    samples = []
    fixed_z = torch.randn(4, 8)
    for step in range(n_gen_steps):
        for _ in range(n_critic):
            out = gan.critic_step(rain_days(24))
            meters["wdist"].update(out["wdist"])
            meters["gp"].update(out["gp"])
        meters["gen"].update(gan.generator_step(24))
        if (step + 1) % 40 == 0:
            print(step + 1, "  ".join(f"{k}={m.avg:.4f}" for k, m in meters.items()))
            samples.append(gan.sample(fixed_z))
            for m in meters.values():
                m.reset()
    return samples


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(13)
    snaps = train()
    print("total rain of the fixed samples:", [round(s.sum(1).mean().item(), 2) for s in snaps])
