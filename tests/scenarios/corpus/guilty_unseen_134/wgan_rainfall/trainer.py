import torch

from book import Book
from nets import critic, generator
from penalty import lipschitz_penalty


class RainTrainer:
    def __init__(self, s):
        self.s = s
        self.G = generator(s["noise"], s["hidden"], s["days"])
        self.D = critic(s["days"], s["hidden"])
        self.opt_g = torch.optim.Adam(self.G.parameters(), lr=s["lr"], betas=(0.0, 0.9))
        self.opt_d = torch.optim.Adam(self.D.parameters(), lr=s["lr"], betas=(0.0, 0.9))
        self.book = Book()

    def real(self):
        shape = (self.s["batch"], self.s["days"])
        wet = (torch.rand(shape) < 0.35).float()
        return wet * torch.empty(shape).exponential_(0.7)

    def noise(self):
        return torch.randn(self.s["batch"], self.s["noise"])

    def critic_round(self):
        real = self.real()
        with torch.no_grad():
            fake = self.G(self.noise())
        gap = self.D(real).mean() - self.D(fake).mean()
        gp = lipschitz_penalty(self.D, real, fake)
        self.opt_d.zero_grad()
        (self.s["gp_weight"] * gp - gap).backward()
        self.opt_d.step()
        self.book.write(gap=gap.item(), penalty=gp)  # <- culprit

    def generator_round(self):
        score = self.D(self.G(self.noise())).mean()
        self.opt_g.zero_grad()
        (-score).backward()
        self.opt_g.step()
        self.book.write(score=score.item())

    def train(self):
        for _ in range(self.s["rounds"]):
            for _ in range(self.s["critic_steps"]):
                self.critic_round()
            self.generator_round()
