import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, lr, aux_weight):
        self.model = model
        self.aux_weight = aux_weight
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)

    def step(self, spec, label):
        self.model.train()
        logits, feats = self.model(spec)
        ce = F.cross_entropy(logits, label)
        # neighbouring frames should not jump
        smooth = (feats[:, 1:] - feats[:, :-1]).abs().mean()

        self.opt.zero_grad()
        (ce + self.aux_weight * smooth).backward(retain_graph=True)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
        self.opt.step()
        acc = (logits.argmax(-1) == label).float().mean()
        return {"ce": ce.item(), "smooth": smooth.item(), "acc": acc.item()}
