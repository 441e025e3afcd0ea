# gradwatch-corpus: kind=graph-held
# holder: self.incidents | harbour.incidents | incident.__traceback__ | self.incidents[-1].__traceback__
# first-bad: 1
# notice: 8
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(88)


class LateFerry(RuntimeError):
    def __init__(self, minutes):
        super().__init__(f"residual of {minutes:.1f} min")
        self.minutes = minutes


class Harbour:
    def __init__(self):
        self.eta = nn.Sequential(nn.Linear(6, 16), nn.SELU(), nn.Linear(16, 1))
        self.opt = torch.optim.AdamW(self.eta.parameters(), lr=2e-3)
        self.incidents = []

    def crossing(self, n=24):
        sea = torch.randn(n, 6)
        storm = torch.randn(n) * torch.empty(n).exponential_(0.5)
        minutes = 20 + 3 * sea[:, 0] - 2 * sea[:, 1].abs() + storm
        return sea, minutes

    def learn(self, sea, minutes):
        guess = self.eta(sea).squeeze(1) + 20
        loss = nn.functional.huber_loss(guess, minutes)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.inspect(guess, minutes)
        return loss.item()

    def inspect(self, guess, minutes, bound=5.0):
        worst = (guess - minutes).abs().max().item()
        if worst > bound:
            raise LateFerry(worst)

    def season(self, crossings):
        quiet = 0
        for _ in range(crossings):
            try:
                self.learn(*self.crossing())
                quiet += 1
            except LateFerry as incident:
                self.incidents.append(incident)  # <- culprit
        return quiet


if __name__ == "__main__":
    harbour = Harbour()
    for month in range(6):
        calm = harbour.season(60)
        worst = max(i.minutes for i in harbour.incidents)
        print("month", month, "calm crossings", calm, "incidents", len(harbour.incidents), "worst", round(worst, 1))
