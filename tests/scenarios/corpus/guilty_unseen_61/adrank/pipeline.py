"""Impression stream and training loop."""
import torch
import torch.nn.functional as F


class RankingPipeline:
    def __init__(self, model, balancer, lr):
        self.model, self.balancer = model, balancer
        self.opt = torch.optim.Adagrad(model.parameters(), lr=lr)
        self.taste = {t: [torch.randn(n) for n in model.fields] for t in model.tasks}

    def impressions(self, n):
        ids = torch.stack([torch.randint(k, (n,)) for k in self.model.fields], dim=1)
        y = {}
        for task, tables in self.taste.items():
            score = sum(table[ids[:, f]] for f, table in enumerate(tables))
            y[task] = torch.bernoulli(torch.sigmoid(score - (2.0 if task == "buy" else 0.0)))
        return ids, y

    def train(self, n_batches, batch_size):
        report = {t: [] for t in self.model.tasks}
        for _ in range(n_batches):
            ids, y = self.impressions(batch_size)
            logits = self.model(ids)
            losses = {t: F.binary_cross_entropy_with_logits(logits[t], y[t]) for t in logits}
            self.opt.zero_grad()
            self.balancer.combine(losses).backward(retain_graph=True)  # <- culprit
            self.opt.step()
            for t, v in losses.items():
                report[t].append(v.item())
        return report
