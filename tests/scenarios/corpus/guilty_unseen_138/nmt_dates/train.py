import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.optim = torch.optim.Adam(model.parameters(), lr=lr)

    def step(self, src, tgt_in, tgt_out):
        logits = self.model(src, tgt_in)
        loss = F.cross_entropy(logits.flatten(0, 1), tgt_out.flatten())
        self.optim.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optim.step()
        return loss.item()

    def epoch(self, batches, steps):
        tot = 0.0
        for src, tgt_in, tgt_out in batches.take(steps):
            tot += self.step(src, tgt_in, tgt_out)
        return tot / steps
