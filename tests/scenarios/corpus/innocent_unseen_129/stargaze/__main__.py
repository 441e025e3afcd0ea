# gradwatch-corpus: kind=none
import torch
from torch import nn

from .meters import Ledger, epoch_mean, running

torch.set_num_threads(1)
torch.manual_seed(149)


class LightCurve(nn.Module):
    def __init__(self):
        super().__init__()
        self.fold = nn.Conv1d(1, 6, 7, stride=3)
        self.period = nn.Linear(6, 1)
        self.kind = nn.Linear(6, 2)

    def forward(self, flux):
        z = torch.relu(self.fold(flux.unsqueeze(1))).mean(2)
        return self.period(z).squeeze(1), self.kind(z)


class Survey:
    def night(self, n):
        t = torch.arange(40)
        for _ in range(n):
            p = 0.2 + torch.rand(16)
            kind = torch.randint(0, 2, (16,))
            wave = torch.sin(p[:, None] * t)
            yield torch.where(kind[:, None] == 1, wave.sign(), wave) + 0.1 * torch.randn(16, 40), p, kind


class Observatory:
    def __init__(self):
        self.net = LightCurve()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=4e-3)
        self.ever, self.epoch, self.ledger = running(["period", "kind"]), epoch_mean(), Ledger()

    def observe(self, nights):
        means = []
        for night in range(nights):
            for flux, p, kind in Survey().night(14):
                with self.ledger.span(night=night) as row:
                    guess, logits = self.net(flux)
                    row["period"] = (guess - p).abs().mean()
                    row["kind"] = nn.functional.cross_entropy(logits, kind)
                    loss = row["period"] + row["kind"]
                    self.opt.zero_grad()
                    loss.backward()
                    self.opt.step()
                    self.ever.send(row)
                    self.epoch.send(loss)
            means.append(self.epoch.send(None))
        return means


print(Observatory().observe(50)[-1])
