import torch
import torch.nn.functional as F


class Duel:
    def __init__(self, artist, judge):
        self.artist, self.judge = artist, judge
        self.opt_artist = torch.optim.Adam(artist.parameters(), lr=2e-3, betas=(0.5, 0.99))
        self.opt_judge = torch.optim.Adam(judge.parameters(), lr=2e-3, betas=(0.5, 0.99))

    def verdict(self, real, drawn):
        return F.softplus(-self.judge(real)).mean() + F.softplus(self.judge(drawn)).mean()

    def flattery(self, drawn):
        return F.softplus(-self.judge(drawn)).mean()

    def _turn(self, opt, loss):
        opt.zero_grad()
        loss.backward()
        opt.step()
        return loss.item()

    def round(self, real):
        drawn = self.artist(torch.randn(len(real), self.artist.noise))
        j = self._turn(self.opt_judge, self.verdict(real, drawn))  # <- culprit
        a = self._turn(self.opt_artist, self.flattery(drawn))
        return j, a
