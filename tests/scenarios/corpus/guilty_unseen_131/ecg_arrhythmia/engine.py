import torch
import torch.nn.functional as F


class Engine:
    def __init__(self, model, lr):
        self.model = model
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr)

    def fit_one_epoch(self, x, y, bs):
        self.model.train()
        order = torch.randperm(len(x))
        tot = 0.0
        for chunk in order.split(bs):
            self.opt.zero_grad(set_to_none=True)
            loss = F.cross_entropy(self.model(x[chunk]), y[chunk])
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.opt.step()
            tot += loss.item() * len(chunk)
        return tot / len(x)

    def validate(self, x, y):
        self.model.eval()
        torch.set_grad_enabled(False)  # <- culprit
        out = self.model(x)
        acc = (out.argmax(1) == y).float().mean().item()
        return acc, F.cross_entropy(out, y).item()
