from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class CTSettings:
    seed: int = 77
    size: int = 24
    width: int = 12
    batch: int = 4
    iterations: int = 100
    critic_from: int = 12
    adversarial_weight: float = 0.02
    lr: float = 1e-3


class DenoiseTrainer:
    def __init__(self, settings, denoiser, critic):
        self.settings = settings
        self.denoiser = denoiser
        self.critic = critic
        self.denoiser_optimizer = torch.optim.Adam(denoiser.parameters(), lr=settings.lr)
        self.critic_optimizer = torch.optim.Adam(critic.parameters(), lr=settings.lr)

    def critic_update(self, denoised, full_dose):
        real = self.critic(full_dose)
        fake = self.critic(denoised.detach())
        critic_loss = (real - 1).pow(2).mean() + fake.pow(2).mean()
        self.critic_optimizer.zero_grad()
        critic_loss.backward()
        self.critic_optimizer.step()  # <- culprit

    def train_batch(self, iteration, low_dose, full_dose):
        denoised = self.denoiser(low_dose)
        pixel_loss = nn.functional.l1_loss(denoised, full_dose)
        total = pixel_loss
        if iteration >= self.settings.critic_from:
            realism = (self.critic(denoised) - 1).pow(2).mean()  # <- culprit
            total = total + self.settings.adversarial_weight * realism
            self.critic_update(denoised, full_dose)  # <- culprit
        self.denoiser_optimizer.zero_grad()
        total.backward()
        self.denoiser_optimizer.step()
        return pixel_loss.item()
