import torch
import torch.nn as nn


class AgeNet(nn.Module):
    def __init__(self, points=48):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(points, 128), nn.SiLU(), nn.Linear(128, 64), nn.SiLU())
        self.mean, self.logvar = nn.Linear(64, 1), nn.Linear(64, 1)

    def forward(self, x):
        h = self.body(x)
        return self.mean(h).squeeze(-1), self.logvar(h).squeeze(-1)


class Run:
    def __init__(self, train, test, hooks, lr=1e-3):
        self.train, self.test = train, test
        self.model = AgeNet(train[0].size(1))
        self.opt = torch.optim.RMSprop(self.model.parameters(), lr=lr)
        self.hooks = hooks
        self.step, self.last_loss = 0, None

    def held_out(self):
        with torch.no_grad():
            mean, _ = self.model(self.test[0])
        return (mean - self.test[1]).abs().mean().item()

    def go(self, steps, batch):
        x, age = self.train
        for self.step in range(steps):
            pick = torch.randint(len(x), (batch,))
            mean, logvar = self.model(x[pick])
            loss = nn.functional.gaussian_nll_loss(mean, age[pick], logvar.exp() + 1e-3)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.last_loss = loss.item()
            for h in self.hooks:
                h.on_step(self)
        for h in self.hooks:
            h.on_finish(self)
        return self.held_out()
