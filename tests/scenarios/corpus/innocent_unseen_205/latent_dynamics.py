# gradwatch-corpus: kind=none
"""World-model style latent dynamics; loss accumulated over an unroll window, belief carried across windows."""
from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class WindowState:
    belief: torch.Tensor
    loss: torch.Tensor = None
    beliefs: list = field(default_factory=list)

    def add(self, term):
        self.loss = term if self.loss is None else self.loss + term


class RSSM(nn.Module):
    def __init__(self, obs=4, hidden=24):
        super().__init__()
        self.enc = nn.Linear(obs, hidden)
        self.cell = nn.GRUCell(hidden, hidden)
        self.dec = nn.Linear(hidden, obs)

    def forward(self, belief, obs):
        belief = self.cell(torch.tanh(self.enc(obs)), belief)
        return belief, self.dec(belief)


class Oscillators:
    def __init__(self, n=16):
        self.phase, self.freq, self.t = 6.28 * torch.rand(n, 4), 0.1 + 0.4 * torch.rand(n, 4), 0

    def next(self):
        self.t += 1
        return torch.sin(self.phase + self.freq * self.t) + 0.02 * torch.randn_like(self.phase)


class Learner:
    def __init__(self, window=6):
        self.model, self.env, self.window = RSSM(), Oscillators(), window
        self.opt = torch.optim.Adam(self.model.parameters(), lr=4e-3)
        self.sched = torch.optim.lr_scheduler.StepLR(self.opt, 150, 0.5)
        self.state = WindowState(torch.zeros(16, 24))
        self.obs = self.env.next()
        self.running = None
        self.snapshots = []

    def tick(self):
        s = self.state
        s.belief, pred = self.model(s.belief, self.obs)
        self.obs = self.env.next()
        s.add(F.mse_loss(pred, self.obs))
        s.beliefs.append(s.belief)
        if len(s.beliefs) == self.window:
            self.flush()

    def flush(self):
        s = self.state
        smooth = torch.stack(s.beliefs).diff(dim=0).pow(2).mean()
        loss = s.loss / self.window + 1e-3 * smooth
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.sched.step()
        value = loss.detach()
        self.running = value if self.running is None else self.running.mul(0.97).add(value, alpha=0.03)
        self.snapshots = (self.snapshots + [torch.stack(s.beliefs).detach().mean(1)])[-50:]
        self.state = WindowState(s.belief.detach())


def main(windows=420):
    torch.manual_seed(8)
    learner = Learner()
    for w in range(1, windows + 1):
        for _ in range(learner.window):
            learner.tick()
        if w % 70 == 0:
            spread = torch.cat(learner.snapshots).std(0).mean()
            print(f"window {w} loss {learner.running:.4f} belief spread {spread:.4f}")


if __name__ == "__main__":
    main()
