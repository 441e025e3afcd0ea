import torch
import torch.nn.functional as F


class InfoNCE:
    def __init__(self, temperature=0.2):
        self.t = temperature

    def __call__(self, q, k, negatives):
        pos = (q * k).sum(-1, keepdim=True)
        neg = q @ negatives.T
        logits = torch.cat([pos, neg], dim=1) / self.t
        return F.cross_entropy(logits, torch.zeros(q.size(0), dtype=torch.long))


class Learner:
    def __init__(self, encoder, bank, warmup, weight=0.2):
        self.encoder, self.bank = encoder, bank
        self.warmup, self.weight = warmup, weight
        self.nce = InfoNCE()
        self.opt = torch.optim.Adam(encoder.parameters(), lr=5e-3)

    def step(self, step, a, b, label):
        self.opt.zero_grad()
        q, logits = self.encoder(a)
        ce = F.cross_entropy(logits, label)
        contrast = torch.zeros(())

        if step < self.warmup:
            ce.backward()
        else:
            ce.backward(retain_graph=True)  # q is used once more below
            k = self.encoder.embed(b)
            if len(self.bank):
                contrast = self.nce(q, k, self.bank.negatives())
                (self.weight * contrast).backward(retain_graph=True)
            self.bank.push(k)  # <- culprit
        self.opt.step()

        return {
            "ce": ce.item(),
            "nce": contrast.item(),
            "correct": int((logits.argmax(1) == label).sum()),
        }
