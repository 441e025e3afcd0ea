# gradwatch-corpus: kind=graph-chain
# holder: self.record | keeper.record | guard.record
# first-bad: 1
"""Hyperspectral unmixing (multinomial regression on pixel spectra). Updates that fall behind the best
epoch so far are pulled back by a hinge on the difference."""
import torch


class StepCallback:
    def on_loss(self, n, value):
        return value

    def on_end(self):
        pass


class Progress(StepCallback):
    def __init__(self, every):
        self.every = every

    def on_loss(self, n, value):
        if n % self.every == 0:
            print(f"{n:4d}  objective {value.item():.4f}")
        return value


class Keeper(StepCallback):
    def __init__(self, weight=0.3, tol=2e-3):
        self.weight, self.tol = weight, tol
        self.record = None
        self.count = 0

    def on_loss(self, n, value):
        if self.record is None:
            self.record = value
            return value
        value = value + self.weight * torch.relu(value - self.record)
        if value < self.record - self.tol:
            self.record = value  # <- culprit
            self.count += 1
        return value

    def on_end(self):
        print("records set:", self.count)


class Unmixer:
    def __init__(self, bands=64, materials=7):
        self.lin = torch.nn.Linear(bands, materials)
        self.opt = torch.optim.SGD(self.lin.parameters(), lr=0.02)
        g = torch.Generator().manual_seed(10)
        self.library = torch.rand(materials, bands, generator=g)
        self.gen = g

    def pixels(self, n=128):
        which = torch.randint(0, len(self.library), (n,), generator=self.gen)
        return self.library[which] + 0.3 * torch.randn(n, self.library.shape[1], generator=self.gen), which

    def fit(self, steps, plugins):
        for n in range(steps):
            spectra, which = self.pixels()
            value = torch.nn.functional.cross_entropy(self.lin(spectra), which)
            for plug in plugins:
                value = plug.on_loss(n, value)
            self.opt.zero_grad()
            value.backward(retain_graph=True)  # <- culprit
            self.opt.step()
        for plug in plugins:
            plug.on_end()


if __name__ == "__main__":
    torch.manual_seed(10)
    keeper = Keeper()
    Unmixer().fit(500, [keeper, Progress(100)])
