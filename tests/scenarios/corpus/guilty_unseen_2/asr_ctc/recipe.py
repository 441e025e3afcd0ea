import torch
from torch import nn

from .store import EmbeddingStore


class Recipe:
    def __init__(self, model, lr):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.ctc = nn.CTCLoss(zero_infinity=True)
        self.store = EmbeddingStore()

    def step(self, batch):
        lp, emb = self.model(batch["x"])
        b, t = lp.shape[:2]
        loss = self.ctc(lp.transpose(0, 1), batch["y"], torch.full((b,), t), torch.full((b,), 6))
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.store.put(batch["id"], emb)  # <- culprit
        return {"ctc": loss.item(), "norm": emb.detach().norm(dim=1).mean().item()}
