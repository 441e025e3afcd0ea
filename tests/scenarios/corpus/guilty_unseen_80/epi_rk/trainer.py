import torch

class SimulatedRegions:
    def __init__(self, cfg):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(cfg.seed + 1)
        self.contact = 0.2 + 0.3 * torch.rand(cfg.groups, cfg.groups, generator=self.gen)

    def sample(self):
        c = self.cfg
        i = 0.05 * torch.rand(c.regions, c.groups, generator=self.gen)
        s = 1 - i
        start, seen = torch.cat([s, i], -1), []
        for _ in range(c.points):
            for _ in range(5):
                new = s * (i @ self.contact.T) * c.dt / 5
                s, i = s - new, i + new - 0.2 * i * c.dt / 5
            seen.append(torch.cat([s, i], -1))
        return start, torch.stack(seen, dim=1)

class FitService:
    def __init__(self, rhs, solver, regions, callbacks, cfg):
        self.rhs, self.solver, self.regions, self.callbacks, self.cfg = rhs, solver, regions, callbacks, cfg
        self.optimizer = torch.optim.Adam(rhs.parameters(), lr=cfg.lr)

    def _round(self):
        start, seen = self.regions.sample()
        trajectory = self.solver.solve(self.rhs, start, self.cfg.points)
        outcome = (trajectory - seen).square().mean() * 100
        self.optimizer.zero_grad()
        outcome.backward()
        self.optimizer.step()
        return outcome.item()

    def fit(self):
        for n in range(self.cfg.rounds):
            self.callbacks.round_begin(n)
            loss = self._round()
            self.callbacks.round_end(n, loss)
