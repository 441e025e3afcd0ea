# gradwatch-corpus: kind=none
"""Noise levels of a local-level model by filtering; the loss covers several windows at a time."""
import torch
import torch.nn as nn


class LocalLevel(nn.Module):
    def __init__(self):
        super().__init__()
        self.log_q = nn.Parameter(torch.tensor(-1.0))
        self.log_r = nn.Parameter(torch.tensor(1.0))
        self.mean, self.cov = None, None

    def begin(self, n):
        self.mean, self.cov = torch.zeros(n), 5.0 * torch.ones(n)

    def cut(self):
        self.mean, self.cov = self.mean.detach(), self.cov.detach()

    def window(self, z):
        q, r = self.log_q.exp(), self.log_r.exp()
        total = 0.0
        for t in range(z.shape[1]):
            cov = self.cov + q
            s = cov + r
            innov = z[:, t] - self.mean
            gain = cov / s
            self.mean = self.mean + gain * innov
            self.cov = (1 - gain) * cov
            total = total + 0.5 * (s.log() + innov ** 2 / s).mean()
        return total / z.shape[1]


class SeriesFeed:
    def __init__(self, n, T, window, q=0.3, r=1.0):
        level = (q ** 0.5 * torch.randn(n, T)).cumsum(1)
        self.z = level + r ** 0.5 * torch.randn(n, T)
        self.window = window

    def __iter__(self):
        return iter(self.z.split(self.window, dim=1))


def main(epochs=8, per_update=3):
    torch.manual_seed(22)
    feed = SeriesFeed(16, 300, 10)
    model = LocalLevel()
    opt = torch.optim.Adam(model.parameters(), lr=0.05)
    trace = []
    for epoch in range(epochs):
        model.begin(16)
        pending, seen = 0.0, 0
        for w, z in enumerate(feed):
            pending = pending + model.window(z)
            seen += 1
            if seen == per_update:
                loss = pending / per_update
                opt.zero_grad()
                loss.backward()
                opt.step()
                model.cut()
                trace.append(float(loss))
                pending, seen = 0.0, 0
        print(f"epoch {epoch}: nll {sum(trace[-10:]) / 10:.4f} "
              f"q {model.log_q.exp().item():.3f} r {model.log_r.exp().item():.3f}")


if __name__ == "__main__":
    main()
