import torch

from network import QUANTILES, pinball


class EtaTrainer:
    def __init__(self, net, rides, journal):
        self.net = net
        self.rides = rides
        self.journal = journal
        self.opt = torch.optim.Adam(net.parameters(), lr=3e-3)
        self.step = 0

    def _record(self, per_q, crossing):
        step = self.step

        def row():
            out = {"step": step, "crossing": float(crossing)}
            for q, v in zip(QUANTILES, per_q):  # <- culprit
                out[f"q{int(q * 100)}"] = float(v)
            return out

        self.journal.defer(row)  # <- culprit

    def train_step(self):
        a, b, hour, minutes = self.rides.sample(48)
        pred = self.net(a, b, hour)
        per_q = pinball(pred, minutes)
        crossing = torch.relu(pred[:, :-1] - pred[:, 1:]).mean()
        loss = per_q.sum() + 0.5 * crossing
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        self.opt.step()
        self._record(per_q, crossing)  # <- culprit
        self.step += 1
        return loss.item()

    @torch.no_grad()
    def coverage(self):
        a, b, hour, minutes = self.rides.sample(300)
        pred = self.net(a, b, hour)
        return ((minutes > pred[:, 0]) & (minutes < pred[:, 2])).float().mean().item()

    def fit(self, epochs, iters):
        for epoch in range(epochs):
            total = 0.0
            for _ in range(iters):
                total += self.train_step()
            print(f"epoch {epoch} loss {total / iters:.4f} coverage {self.coverage():.3f}")

    def finish(self):
        for k, v in self.journal.summary().items():
            print(f"  {self.journal.name}/{k}: {v:.4f}")
