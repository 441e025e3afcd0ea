import torch
import torch.nn.functional as F


class Engine:
    def __init__(self, model, opt, accumulate=4):
        self.model, self.opt, self.accumulate = model, opt, accumulate
        self.pending = 0
        self.total_loss = torch.zeros(())
        self.seen = 0
        self.scores, self.labels = [], []

    def micro_step(self, x, y):
        logit = self.model(x[:, None]).squeeze(-1)
        loss = F.binary_cross_entropy_with_logits(logit, y)
        (loss / self.accumulate).backward()
        with torch.no_grad():
            self.total_loss += loss
        self.seen += 1
        self.scores.append(logit.detach())
        self.labels.append(y)
        self.pending += 1
        if self.pending == self.accumulate:
            self.flush()

    def flush(self):
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 2.0)
        self.opt.step()
        self.opt.zero_grad(set_to_none=True)
        self.pending = 0

    def end_epoch(self):
        if self.pending:
            self.flush()
        s, l = torch.cat(self.scores), torch.cat(self.labels)
        pos, neg = s[l == 1], s[l == 0]
        auc = (pos[:, None] > neg[None]).float().mean().item()
        mean = (self.total_loss / self.seen).item()
        self.scores, self.labels = [], []
        self.total_loss.zero_()
        self.seen = 0
        return mean, auc
