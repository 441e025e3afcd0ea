import torch
import torch.nn.functional as F


class Windowed:
    """Mixin: hand out a rally in windows of so many frames."""

    def windows(self, *series):
        for start in range(0, len(series[0]), self.window):
            yield [s[start:start + self.window] for s in series]


class Runner(Windowed):
    def __init__(self, net, window):
        self.net, self.window = net, window
        self.opt = torch.optim.Adam(net.parameters(), lr=3e-3)
        self.belief = None
        self.frames = 0

    def learn(self, seen, truth):
        path, belief = self.net.follow(self.belief, seen)
        loss = F.mse_loss(path, truth)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.belief = belief.cut()  # <- culprit
        self.frames += len(seen)
        return loss.item()

    def play(self, rallies):
        for r, (seen, truth) in enumerate(rallies):
            self.belief = self.net.prior()
            losses = [self.learn(*w) for w in self.windows(seen, truth)]
            print(f"rally {r:2d}  windows {len(losses)}  loss {sum(losses) / len(losses):.4f}")
