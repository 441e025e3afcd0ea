import torch
import torch.nn.functional as F


def feature_loss(real_maps, fake_maps):
    return sum(F.l1_loss(f, r) for r, f in zip(real_maps, fake_maps))  # <- culprit


class AdversarialSteps:
    def __init__(self, generator, critic, fm_weight=2.0):
        self.generator, self.critic = generator, critic
        self.fm_weight = fm_weight
        self.opt_g = torch.optim.AdamW(generator.parameters(), lr=1e-3, betas=(0.8, 0.99))
        self.opt_d = torch.optim.AdamW(critic.parameters(), lr=1e-3, betas=(0.8, 0.99))

    def critic_step(self, wave, fake):
        real_score, real_maps = self.critic(wave)
        fake_score, _ = self.critic(fake.detach())
        loss = (real_score - 1).pow(2).mean() + fake_score.pow(2).mean()
        self.opt_d.zero_grad()
        loss.backward()
        self.opt_d.step()
        return loss.item(), real_maps  # <- culprit

    def generator_step(self, wave, fake, real_maps):
        score, fake_maps = self.critic(fake)
        loss = (score - 1).pow(2).mean() + F.l1_loss(fake, wave)
        loss = loss + self.fm_weight * feature_loss(real_maps, fake_maps)  # <- culprit
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        return loss.item()

    def __call__(self, mel, wave):
        fake = self.generator(mel)
        d_loss, real_maps = self.critic_step(wave, fake)
        g_loss = self.generator_step(wave, fake, real_maps)
        return {"d": round(d_loss, 3), "g": round(g_loss, 3)}
