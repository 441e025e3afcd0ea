# gradwatch-corpus: kind=graph-held
# holder: writer._queue | self._queue
# first-bad: 1
import tempfile

import torch
from torch import nn

from engine import critic_step, generator_step
from summary import SummaryWriter

CONFIG = {"latent": 6, "batch": 32, "hidden": 32, "gp_weight": 10.0, "lr": 2e-4, "steps": 450, "seed": 3}


def mlp(din, dout, hidden):
    return nn.Sequential(nn.Linear(din, hidden), nn.Softplus(), nn.Linear(hidden, hidden),
                         nn.Softplus(), nn.Linear(hidden, dout))


def ring(n, modes=8):
    k = torch.randint(modes, (n,)).float() * (2 * torch.pi / modes)
    return torch.stack([k.cos(), k.sin()], 1) * 2 + 0.05 * torch.randn(n, 2)


def main(cfg):
    torch.manual_seed(cfg["seed"])
    gen = mlp(cfg["latent"], 2, cfg["hidden"])
    critic = mlp(2, 1, cfg["hidden"])
    opt_g = torch.optim.Adam(gen.parameters(), lr=cfg["lr"], betas=(0.5, 0.9))
    opt_c = torch.optim.Adam(critic.parameters(), lr=cfg["lr"], betas=(0.5, 0.9))
    with tempfile.TemporaryDirectory() as log_dir:
        writer = SummaryWriter(log_dir)
        for step in range(cfg["steps"]):
            loss = critic_step(critic, gen, ring(cfg["batch"]), opt_c, cfg, writer, step)
            if step % 3 == 2:
                generator_step(critic, gen, opt_g, cfg, writer, step)
            if step % 100 == 0:
                print(f"step {step}: critic loss {loss:.4f}")
        writer.close()


if __name__ == "__main__":
    main(CONFIG)
