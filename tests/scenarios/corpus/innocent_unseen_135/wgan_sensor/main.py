# gradwatch-corpus: kind=none
"""WGAN-GP for short vibration traces."""
import torch

torch.set_num_threads(1)

from nets import Critic, Synth
from penalty import gradient_penalty


def traces(n, length=24):
    t = torch.arange(length) / length
    f = torch.empty(n, 1).uniform_(1, 3)
    return torch.sin(6.283 * f * t) + 0.05 * torch.randn(n, length)


class WGAN:
    def __init__(self, n_critic=3, gp=10.0):
        self.synth, self.critic = Synth(), Critic()
        self.og = torch.optim.Adam(self.synth.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.oc = torch.optim.Adam(self.critic.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.n_critic, self.gp = n_critic, gp

    def critic_step(self, real):
        with torch.no_grad():
            fake = self.synth(len(real))
        pen = gradient_penalty(self.critic, real, fake)
        w = self.critic(fake).mean() - self.critic(real).mean()
        self.oc.zero_grad()
        (w + self.gp * pen).backward()
        self.oc.step()
        return -w.item(), pen.item()

    def synth_step(self, n):
        self.og.zero_grad()
        loss = -self.critic(self.synth(n)).mean()
        loss.backward()
        self.og.step()
        return loss.item()

    def train(self, rounds):
        history = {"w": [], "gp": [], "g": []}
        for r in range(rounds):
            for _ in range(self.n_critic):
                w, gp = self.critic_step(traces(12))
            history["w"].append(w)
            history["gp"].append(gp)
            history["g"].append(self.synth_step(12))
            if r % 60 == 0:
                print(r, {k: round(v[-1], 3) for k, v in history.items()})


if __name__ == "__main__":
    torch.manual_seed(6)
    WGAN().train(240)
