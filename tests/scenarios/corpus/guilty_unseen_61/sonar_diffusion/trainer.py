"""x0-prediction training with self-conditioning."""
import torch


def pings(n, length):
    t = torch.linspace(0, 1, length)
    delay, pitch = torch.rand(n, 1) * 0.6, 20 + 20 * torch.rand(n, 1)
    return torch.exp(-40 * (t - delay - 0.2).pow(2)) * torch.sin(pitch * t)


class DiffusionTrainer:
    def __init__(self, model, process, metrics, self_cond, lr=2e-3):
        self.model, self.process, self.metrics, self.self_cond = model, process, metrics, self_cond
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr)

    def condition(self, x_t, t):
        """The estimate fed back to the network: its own first guess, or nothing."""
        blank = torch.zeros_like(x_t)
        if torch.rand(()) >= self.self_cond:
            return blank
        with torch.no_grad():
            return self.model(x_t, blank, t)

    def train(self, steps):
        for _ in range(steps):
            x0 = pings(32, self.model.length)
            t = torch.randint(self.process.steps, (len(x0),))
            x_t = self.process.noisy(x0, t)
            guess = self.model(x_t, self.condition(x_t, t), t)
            loss = (self.process.weight(t) * (guess - x0).pow(2).mean(-1)).mean()
            self.opt.zero_grad()
            loss.backward()
            norm = torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.opt.step()
            self.metrics.update(len(x0), loss=loss, grad_norm=norm)  # <- culprit
