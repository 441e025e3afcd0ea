# gradwatch-corpus: kind=graph-chain
# holder: state.trend | self.state.trend
# first-bad: 1
import torch

from layers import HoltSmoother, HoltState

SERIES, WINDOW, STEPS = 12, 2, 400


class DemandStream:
    def __init__(self, seed=13):
        self.g = torch.Generator().manual_seed(seed)
        self.t = 0
        self.slope = torch.randn(SERIES, generator=self.g) * 0.02

    def next(self):
        t = torch.arange(self.t, self.t + WINDOW).unsqueeze(1).float()
        self.t += WINDOW
        season = torch.sin(t / 7 * 6.283)
        return self.slope * t + season + 0.1 * torch.randn(WINDOW, SERIES, generator=self.g)


class Engine:
    def __init__(self):
        torch.manual_seed(0)
        self.model = HoltSmoother(SERIES)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-2)
        self.state = HoltState(SERIES)
        self.stream = DemandStream()
        self.history = []

    def step(self):
        window = self.stream.next()
        self.state.detach_()
        preds = self.model(window, self.state)
        loss = (preds - window).abs().mean()
        self.optimizer.zero_grad()
        loss.backward(retain_graph=True)
        self.optimizer.step()
        self.history.append(loss.item())

    def run(self):
        for i in range(STEPS):
            self.step()
            if i % 100 == 99:
                print(f"{i + 1}: mae {sum(self.history[-50:]) / 50:.4f} "
                      f"alpha {torch.sigmoid(self.model.alpha).mean().item():.3f}")


if __name__ == "__main__":
    Engine().run()
