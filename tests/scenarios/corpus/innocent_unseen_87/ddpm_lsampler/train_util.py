import copy
from collections import defaultdict

import torch


class Logger:
    """logkv_mean in the spirit of baselines.logger."""

    def __init__(self):
        self.name2val, self.name2cnt = defaultdict(float), defaultdict(int)

    def logkv_mean(self, key, val):
        n = self.name2cnt[key]
        self.name2val[key] = self.name2val[key] * n / (n + 1) + val / (n + 1)
        self.name2cnt[key] = n + 1

    def dumpkvs(self, step):
        print(f"{step:5d} " + " ".join(f"{k}={v:.4f}" for k, v in sorted(self.name2val.items())))
        self.name2val.clear()
        self.name2cnt.clear()


class TrainLoop:
    def __init__(self, model, alpha_bar, data, sampler, ema_rates, batch, micro, lr, iters, log_every):
        self.model, self.ab, self.data, self.sampler = model, alpha_bar, data, sampler
        self.ema = {r: copy.deepcopy(model).requires_grad_(False) for r in ema_rates}
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr)
        self.batch, self.micro, self.iters, self.log_every = batch, micro, iters, log_every
        self.log = Logger()

    def losses(self, x0, t):
        noise = torch.randn_like(x0)
        a = self.ab[t].unsqueeze(1)
        return (self.model(a.sqrt() * x0 + (1 - a).sqrt() * noise, t) - noise).pow(2).mean(1)

    def forward_backward(self, batch):
        self.opt.zero_grad()
        for x in batch.split(self.micro):
            t, w = self.sampler.sample(len(x))
            losses = self.losses(x, t)
            self.sampler.observe(t, losses)
            loss = (losses * w).mean() * len(x) / self.batch
            self.log_loss_dict(t, {"mse": losses.detach(), "wmse": (losses * w).detach()})
            loss.backward()

    def log_loss_dict(self, t, terms):
        for key, values in terms.items():
            self.log.logkv_mean(key, values.mean().item())
            for ti, v in zip(t.tolist(), values.tolist()):
                self.log.logkv_mean(f"{key}_q{int(4 * ti / len(self.ab))}", v)

    @torch.no_grad()
    def update_ema(self):
        for rate, net in self.ema.items():
            for tgt, src in zip(net.parameters(), self.model.parameters()):
                tgt.mul_(rate).add_(src, alpha=1 - rate)

    @torch.no_grad()
    def ddim(self, net, n=16):
        x = torch.randn(n, 32)
        for i in reversed(range(0, len(self.ab), 5)):
            a, prev = self.ab[i], self.ab[i - 5] if i >= 5 else torch.tensor(1.0)
            eps = net(x, torch.full((n,), i))
            x0 = (x - (1 - a).sqrt() * eps) / a.sqrt()
            x = prev.sqrt() * x0 + (1 - prev).sqrt() * eps
        return x

    def run(self):
        for step in range(1, self.iters + 1):
            self.forward_backward(self.data(self.batch))
            self.opt.step()
            self.update_ema()
            if step % self.log_every == 0:
                for rate, net in self.ema.items():
                    self.log.logkv_mean(f"std_ema{rate}", self.ddim(net).std().item())
                self.log.dumpkvs(step)
