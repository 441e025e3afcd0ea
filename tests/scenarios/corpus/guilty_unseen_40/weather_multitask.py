# gradwatch-corpus: kind=second-backward
# first-bad: 24
"""Joint temperature / rain model with a gradient-agreement diagnostic."""
import argparse
import logging

import torch
from torch import nn

log = logging.getLogger("weather")


class Callback:
    def on_losses(self, trainer, parts):
        pass

    def on_step_end(self, trainer, parts):
        pass


class Progress(Callback):
    def __init__(self, every):
        self.every = every

    def on_step_end(self, trainer, parts):
        if trainer.step % self.every == 0:
            log.info("step %d  %s", trainer.step, {k: round(v.item(), 3) for k, v in parts.items()})


class GradientAgreement(Callback):
    """Cosine between the task gradients in the shared trunk."""

    def __init__(self, every):
        self.every = every
        self.cosines = []

    @staticmethod
    def _flat_grad(loss, params):
        grads = torch.autograd.grad(loss, params)  # <- culprit
        return torch.cat([g.flatten() for g in grads])

    def on_losses(self, trainer, parts):
        if trainer.step % self.every:
            return
        shared = list(trainer.net.trunk.parameters())
        a, b = (self._flat_grad(parts[k], shared) for k in ("temp", "rain"))
        cos = torch.dot(a, b) / (a.norm() * b.norm() + 1e-12)
        self.cosines.append(cos.item())
        log.info("step %d  task cosine %.3f", trainer.step, self.cosines[-1])


class WeatherNet(nn.Module):
    def __init__(self, n_in, width=32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_in, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.temp = nn.Linear(width, 1)
        self.rain = nn.Linear(width, 1)

    def forward(self, x):
        h = self.trunk(x)
        return self.temp(h).squeeze(1), self.rain(h).squeeze(1)


class Trainer:
    def __init__(self, net, lr, callbacks):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)
        self.callbacks = callbacks
        self.step = 0

    def _emit(self, hook, parts):
        for cb in self.callbacks:
            getattr(cb, hook)(self, parts)

    def compute(self, obs, temp, wet):
        t_hat, r_hat = self.net(obs)
        return {"temp": nn.functional.mse_loss(t_hat, temp),
                "rain": nn.functional.binary_cross_entropy_with_logits(r_hat, wet)}

    def train_batch(self, batch):
        self.step += 1
        parts = self.compute(*batch)
        self._emit("on_losses", parts)
        total = parts["temp"] + 0.5 * parts["rain"]
        self.opt.zero_grad()
        total.backward()
        self.opt.step()
        self._emit("on_step_end", parts)


def stations(n, size):
    for _ in range(n):
        obs = torch.randn(size, 11)
        temp = obs[:, 0] + 0.5 * obs[:, 1] * obs[:, 2]
        wet = (obs[:, 3] - 0.5 * temp > 0).float()
        yield obs, temp, wet


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=150)
    p.add_argument("--batch", type=int, default=48)
    p.add_argument("--diag-every", type=int, default=25)
    p.add_argument("--lr", type=float, default=3e-3)
    a = p.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    torch.manual_seed(17)
    trainer = Trainer(WeatherNet(11), a.lr, [Progress(10), GradientAgreement(a.diag_every)])
    for batch in stations(a.steps, a.batch):
        trainer.train_batch(batch)


if __name__ == "__main__":
    main()
