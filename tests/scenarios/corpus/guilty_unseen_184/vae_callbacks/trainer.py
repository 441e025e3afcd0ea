import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, lr, beta, callbacks=()):
        self.model = model
        self.beta = beta
        self.callbacks = list(callbacks)
        self.optim = torch.optim.Adam(model.parameters(), lr=lr)

    def step(self, x):
        recon, mu, logvar = self.model(x)
        rec = F.binary_cross_entropy_with_logits(recon, x, reduction="none").sum(1).mean()
        kl = (-0.5 * (1 + logvar - mu.pow(2) - logvar.exp())).sum(1).mean()
        loss = rec + self.beta * kl
        self.optim.zero_grad(set_to_none=True)
        loss.backward()
        self.optim.step()
        return {"loss": loss.detach(), "rec": rec.detach(), "kl": kl}

    def fit(self, data, steps, batch_size):
        for step in range(steps):
            idx = torch.randint(0, len(data), (batch_size,))
            logs = self.step(data[idx])
            for cb in self.callbacks:
                cb.on_step_end(self, step, logs)
        for cb in self.callbacks:
            cb.on_fit_end(self)
