import torch
import torch.nn.functional as F


class SegmentRunner:
    def __init__(self, model, lr):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.mems = None

    def train_segment(self, x, y):
        if self.mems is None:
            self.mems = self.model.empty_memory(x.shape[0])
        logits, self.mems = self.model(x, self.mems)  # <- culprit
        loss = F.cross_entropy(logits.flatten(0, 1), y.flatten())
        self.opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 0.5)
        self.opt.step()
        return loss.item()
