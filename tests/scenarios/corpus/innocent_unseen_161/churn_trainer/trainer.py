import torch
import torch.nn.functional as F


class EMAWeights:
    def __init__(self, decay):
        self.decay, self.shadow = decay, {}

    @torch.no_grad()
    def after_step(self, trainer):
        for name, p in trainer.net.named_parameters():
            if name not in self.shadow:
                self.shadow[name] = p.clone()
            else:
                self.shadow[name] = self.decay * self.shadow[name] + (1 - self.decay) * p


class Trainer:
    def __init__(self, net, accum, callbacks=()):
        self.net, self.accum, self.callbacks = net, accum, list(callbacks)
        self.opt = torch.optim.AdamW(net.parameters(), lr=3e-3)
        self.sched = torch.optim.lr_scheduler.LinearLR(self.opt, 0.1, total_iters=20)
        self.micro = 0
        self.history = []

    def micro_step(self, x, y):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logit = self.net(x).squeeze(-1)
        loss = F.binary_cross_entropy_with_logits(logit.float(), y)
        (loss / self.accum).backward()
        self.micro += 1
        if self.micro % self.accum == 0:
            self.opt.step()
            self.opt.zero_grad(set_to_none=True)
            self.sched.step()
            for cb in self.callbacks:
                cb.after_step(self)
        return loss.detach()

    def epoch(self, loader):
        total = torch.zeros(())
        for x, y in loader:
            total += self.micro_step(x, y)
        self.history.append(total / len(loader))
        return self.history[-1].item()
