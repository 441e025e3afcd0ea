# gradwatch-corpus: kind=none
import torch

from losses import critic_loss, generator_loss
from nets import Critic, Generator
from glyphs import draw


class Alternator:
    """n critic updates for one of the generator; fakes of the last critic update are kept for a feature match."""

    def __init__(self, latent=8, n_critic=2, lr=5e-4):
        self.gen, self.critic = Generator(latent), Critic()
        self.latent, self.n_critic = latent, n_critic
        self.opt_g = torch.optim.Adam(self.gen.parameters(), lr=lr, betas=(0.0, 0.9))
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=lr, betas=(0.0, 0.9))
        self.curves = {"critic": [], "gen": [], "penalty": []}

    def noise(self, n):
        return torch.randn(n, self.latent)

    def critic_round(self, real):
        fake = self.gen(self.noise(len(real))).detach()
        loss, penalty = critic_loss(self.critic, real, fake)
        self.opt_c.zero_grad()
        loss.backward()
        self.opt_c.step()
        self.curves["critic"].append(loss.item())
        self.curves["penalty"].append(penalty.detach())

    def generator_round(self, real):
        self.critic.requires_grad_(False)
        loss = generator_loss(self.critic, self.gen(self.noise(len(real))), real)
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        self.critic.requires_grad_(True)
        self.curves["gen"].append(loss.item())

    def train(self, rounds, batch):
        for r in range(rounds):
            for _ in range(self.n_critic):
                self.critic_round(draw(batch))
            self.generator_round(draw(batch))
            if r % 15 == 14:
                print(r + 1, {k: round(float(v[-1]), 3) for k, v in self.curves.items()})


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(33)
    Alternator().train(rounds=60, batch=16)
