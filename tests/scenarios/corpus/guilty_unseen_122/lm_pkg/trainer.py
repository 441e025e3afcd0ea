import torch

from .meters import AverageMeter


class Trainer:
    def __init__(self, model, corpus, lr, batch_size):
        self.model, self.corpus = model, corpus
        self.batch_size = batch_size
        decay = [p for p in model.parameters() if p.dim() >= 2]
        no_decay = [p for p in model.parameters() if p.dim() < 2]
        self.optim = torch.optim.AdamW(
            [{"params": decay, "weight_decay": 0.01}, {"params": no_decay, "weight_decay": 0.0}], lr=lr
        )
        self.meters = {k: AverageMeter(k) for k in ("nll", "ppl", "gnorm")}

    def train_step(self):
        xb, yb = self.corpus.sample(self.batch_size)
        _, loss = self.model(xb, yb)
        self.optim.zero_grad(set_to_none=True)
        loss.backward()
        gn = torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optim.step()
        n = xb.size(0)
        self.meters["nll"].update(loss.item(), n)
        self.meters["ppl"].update(loss.exp(), n)  # <- culprit
        self.meters["gnorm"].update(gn.item())

    def fit(self, max_steps):
        self.model.train()
        for step in range(max_steps):
            self.train_step()
            if step % 65 == 0:
                print(f"[{step:4d}]", "  ".join(str(m) for m in self.meters.values()))

    def summary(self):
        return {k: round(float(m.avg), 3) for k, m in self.meters.items()}
