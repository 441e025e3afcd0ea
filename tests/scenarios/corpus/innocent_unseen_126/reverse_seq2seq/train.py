import random
import torch
from torch import nn


class Trainer:
    def __init__(self, enc, dec):
        self.enc, self.dec = enc, dec
        self.opts = [torch.optim.Adam(m.parameters(), lr=5e-3) for m in (enc, dec)]
        self.loss_fn = nn.CrossEntropyLoss()

    def decode(self, src, tgt=None, forced=False):
        memory, h = self.enc(src)
        h, tok, outs = h[0], torch.ones(src.size(0), dtype=torch.long), []
        for t in range(src.size(1)):
            logits, h = self.dec(tok, h, memory)
            outs.append(logits)
            if forced:
                tok = tgt[:, t]
            else:
                _, topi = logits.topk(1)
                tok = topi.squeeze(1).detach()
        return outs

    def step(self, src, tgt, tf_ratio):
        outs = self.decode(src, tgt, random.random() < tf_ratio)
        loss = sum(self.loss_fn(o, tgt[:, t]) for t, o in enumerate(outs))
        for o in self.opts:
            o.zero_grad()
        loss.backward()
        for o in self.opts:
            o.step()
        return loss.item() / len(outs)

    @torch.no_grad()
    def exact_match(self, src):
        guess = torch.stack([o.argmax(1) for o in self.decode(src)], 1)
        return (guess == src.flip(1)).all(1).float().mean().item()
