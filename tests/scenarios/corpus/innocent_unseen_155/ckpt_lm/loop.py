import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, accumulate):
        self.model, self.accumulate = model, accumulate
        self.opt = torch.optim.AdamW(model.parameters(), 3e-3)
        self.seen = self.updates = 0
        self.parts = []

    def micro_step(self, tokens):
        logits = self.model(tokens[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten()) / self.accumulate
        loss.backward()
        self.parts.append(loss.detach())
        self.seen += 1
        if self.seen % self.accumulate:
            return False
        self.norm = torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0).item()
        self.opt.step()
        self.opt.zero_grad()
        self.last = torch.stack(self.parts).sum().item()
        self.parts.clear()
        self.updates += 1
        return True
