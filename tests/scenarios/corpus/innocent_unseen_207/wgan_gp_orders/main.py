# gradwatch-corpus: kind=none
from collections import deque

import torch

from critic import Critic, penalised_gap
from generator import EmaGenerator, Generator
from orders import order_books


class GanTrainer:
    def __init__(self, critic_steps=2):
        self.gen, self.critic = Generator(), Critic()
        self.ema = EmaGenerator(self.gen, decay=0.98)
        self.critic_steps = critic_steps
        adam = lambda module: torch.optim.Adam(module.parameters(), lr=1e-3, betas=(0.0, 0.9))
        self.opt_g, self.opt_c = adam(self.gen), adam(self.critic)
        self.gaps = deque(maxlen=50)
        self.last_fake = None

    def train_critic(self, real):
        with torch.no_grad():
            fake = self.gen(torch.randn(len(real), 6))
        loss, gap = penalised_gap(self.critic, real, fake)
        self.opt_c.zero_grad()
        loss.backward()
        self.opt_c.step()
        self.gaps.append(gap)

    def train_generator(self, n):
        self.last_fake = self.gen(torch.randn(n, 6))
        loss = -self.critic(self.last_fake).mean()
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        self.ema.update(self.gen)

    def fit(self, stream):
        for step, real in enumerate(stream):
            self.train_critic(real)
            if step % self.critic_steps == 0:
                self.train_generator(len(real))
            if step % 100 == 0:
                drift = (self.ema.sample(64).mean(0) - real.mean(0)).norm().item()
                print(step, f"gap {float(self.gaps[-1]):.4f} ema drift {drift:.3f}")


if __name__ == "__main__":
    torch.manual_seed(71)
    GanTrainer().fit(order_books(steps=500, batch=32))
