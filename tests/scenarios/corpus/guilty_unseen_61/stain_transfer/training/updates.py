"""One step of the alternating game."""
import torch
import torch.nn.functional as F

from .pool import ImagePool


def lsgan(score, real: bool):
    return F.mse_loss(score, torch.full_like(score, float(real)))


class StainTransferUpdate:
    def __init__(self, translator, critic, lr, pool_size, critic_every):
        self.translator, self.critic = translator, critic
        self.opt_t = torch.optim.Adam(translator.parameters(), lr=lr, betas=(0.5, 0.999))
        self.opt_c = torch.optim.Adam(critic.parameters(), lr=lr, betas=(0.5, 0.999))
        self.pool = ImagePool(pool_size)
        self.critic_every = critic_every

    def __call__(self, step, source, target):
        translated = self.translator(source)
        stats = {"translator": self._translator(translated, source)}
        if step % self.critic_every == self.critic_every - 1:
            stats["critic"] = self._critic(translated, target)  # <- culprit
        return stats

    def _translator(self, fake, source):
        self.critic.requires_grad_(False)
        loss = lsgan(self.critic(fake), True) + 2.0 * F.l1_loss(fake.mean(1), source.mean(1))
        self.opt_t.zero_grad()
        loss.backward()
        self.opt_t.step()
        self.critic.requires_grad_(True)
        return loss.item()

    def _critic(self, fake, target):
        fake = self.pool.query(fake)  # <- culprit
        loss = 0.5 * (lsgan(self.critic(target), True) + lsgan(self.critic(fake), False))  # <- culprit
        self.opt_c.zero_grad()
        loss.backward()  # <- culprit
        self.opt_c.step()
        return loss.item()
