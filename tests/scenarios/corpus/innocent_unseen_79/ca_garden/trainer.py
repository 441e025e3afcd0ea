import torch


class Trainer:
    def __init__(self, model, target, pool, hooks, lr=3e-3):
        self.model, self.target, self.pool, self.hooks = model, target, pool, hooks
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.step, self.ticks = 0, 1
        self.frames, self.per_grid, self.loss = [], None, None

    def find(self, kind):
        return next(h for h in self.hooks if isinstance(h, kind))

    def error(self, grid):
        return (grid[:, 0] - self.target).square().mean(dim=(1, 2))

    def train_step(self):
        self.frames = self.model(self.pool.draw(), self.ticks)
        self.per_grid = self.error(self.frames[-1])
        along = sum(self.error(f).mean() for f in self.frames[:-1])
        self.loss = self.per_grid.mean() + 0.1 * along
        self.opt.zero_grad()
        self.loss.backward()
        for p in self.model.parameters():
            if p.grad is not None:
                p.grad.div_(p.grad.norm() + 1e-8)
        self.opt.step()

    def fit(self, steps):
        for self.step in range(steps):
            for h in self.hooks:
                h.before(self)
            self.train_step()
            for h in self.hooks:
                h.after(self)
            if self.step % 40 == 0:
                print(f"{self.step:4d} ticks {self.ticks:2d} loss {self.loss.item():.4f}")
