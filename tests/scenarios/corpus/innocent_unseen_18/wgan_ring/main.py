# gradwatch-corpus: kind=none
"""WGAN-GP on eight Gaussians, with a pool of earlier fakes shown to the critic again.
Config by plain dict, networks by registry."""
import torch

import losses
import nets
from pool import FakePool

CONFIG = {
    "seed": 13,
    "steps": 300,
    "critic_per_gen": 2,
    "batch": 64,
    "noise": 6,
    "gp": 5.0,
    "generator": {"name": "mlp", "sizes": [6, 48, 48, 2]},
    "critic": {"name": "mlp", "sizes": [2, 48, 48, 1]},
}


def real(n):
    k = torch.randint(8, (n,)) * (torch.pi / 4)
    return torch.stack([k.cos(), k.sin()], 1) * 2 + 0.05 * torch.randn(n, 2)


def freeze(net, yes):
    for p in net.parameters():
        p.requires_grad_(not yes)


class Game:
    def __init__(self, cfg):
        self.cfg = cfg
        self.G = nets.build(**cfg["generator"])
        self.D = nets.build(**cfg["critic"])
        self.g_opt = torch.optim.Adam(self.G.parameters(), 1e-3, betas=(0.5, 0.9))
        self.d_opt = torch.optim.Adam(self.D.parameters(), 1e-3, betas=(0.5, 0.9))
        self.pool = FakePool(capacity=512)
        self.log = {"d": [], "g": [], "gp": []}

    def z(self):
        return torch.randn(self.cfg["batch"], self.cfg["noise"])

    def critic_step(self):
        x = real(self.cfg["batch"])
        with torch.no_grad():
            fake = self.G(self.z())
        fake = self.pool.mix(fake)
        gp = losses.gradient_penalty(self.D, x, fake)
        loss = losses.critic(self.D(x), self.D(fake)) + self.cfg["gp"] * gp
        self.d_opt.zero_grad(set_to_none=True)
        loss.backward()
        self.d_opt.step()
        return loss, gp

    def generator_step(self):
        freeze(self.D, True)
        loss = losses.generator(self.D(self.G(self.z())))
        self.g_opt.zero_grad(set_to_none=True)
        loss.backward()
        self.g_opt.step()
        freeze(self.D, False)
        return loss

    def play(self):
        for step in range(self.cfg["steps"]):
            for _ in range(self.cfg["critic_per_gen"]):
                d, gp = self.critic_step()
            g = self.generator_step()
            for name, value in (("d", d), ("g", g), ("gp", gp)):
                self.log[name].append(value.item())
            if step % 60 == 0:
                print(step, {k: round(sum(v[-20:]) / len(v[-20:]), 4) for k, v in self.log.items()})


if __name__ == "__main__":
    torch.manual_seed(CONFIG["seed"])
    game = Game(CONFIG)
    game.play()
    with torch.no_grad():
        r = game.G(torch.randn(500, CONFIG["noise"])).norm(dim=1)
    print(f"radius {r.mean():.2f} +- {r.std():.2f}")
