from collections import namedtuple

import torch
import torch.nn.functional as F

Pair = namedtuple("Pair", "real fake")


class AdversarialTrainer:
    def __init__(self, gen, disc, data, batch=16):
        self.gen, self.disc, self.data, self.batch = gen, disc, data, batch
        self.g_opt = torch.optim.Adam(gen.parameters(), lr=1e-3, betas=(0.5, 0.99))
        self.d_opt = torch.optim.Adam(disc.parameters(), lr=1e-3, betas=(0.5, 0.99))

    def draw(self):
        return Pair(self.data.sample(self.batch), self.gen(self.batch))

    def train_disc(self, batch):
        up, down = self.disc(batch.real), self.disc(batch.fake)  # <- culprit
        loss = F.softplus(-up).mean() + F.softplus(down).mean()
        self.d_opt.zero_grad()
        loss.backward()
        return loss.item()

    def train_gen(self, batch):
        self.disc.requires_grad_(False)
        loss = F.softplus(-self.disc(batch.fake)).mean()
        self.g_opt.zero_grad()
        loss.backward()
        self.disc.requires_grad_(True)
        return loss.item()

    def run(self, steps):
        for s in range(steps):
            batch = self.draw()
            d, g = self.train_disc(batch), self.train_gen(batch)
            self.d_opt.step()
            self.g_opt.step()
            if s % 100 == 0:
                print(s, d, g)
