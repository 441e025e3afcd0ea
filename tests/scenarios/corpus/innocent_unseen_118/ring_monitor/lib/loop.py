import torch

from .ring import Ring


class VaeLoop:
    def __init__(self, vae, lr, slots):
        self.vae = vae
        self.opt = torch.optim.Adam(vae.parameters(), lr=lr)
        self.ring = Ring(slots)
        self.grad_norms = []
        self.step = 0
        self.beta = 0.1

    def advance(self, x):
        rec, kl = self.vae(x)
        elbo = rec + self.beta * kl
        self.opt.zero_grad()
        elbo.backward()
        self.grad_norms.append(torch.nn.utils.clip_grad_norm_(self.vae.parameters(), 5.0))
        self.opt.step()
        self.ring.write(self.step, rec, kl, elbo)
        self.step += 1
        self._adapt()

    def _adapt(self):
        if len(self.ring) < 10:
            return
        kl = torch.stack(self.ring.column(2)).mean().item()
        self.beta = min(1.0, self.beta * 1.01) if kl > 1.0 else max(0.02, self.beta * 0.99)

    def status(self):
        steps = self.ring.column(0)
        rec = torch.stack(self.ring.column(1)).mean().item()
        return f"steps {steps[0]}..{steps[-1]} rec={rec:.3f} beta={self.beta:.3f} |g|={torch.stack(self.grad_norms).mean().item():.3f}"
