import torch

from .data import collate


class BadBatch(ValueError):
    pass


class Trainer:
    def __init__(self, model, lr, batch_size):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.batch_size = batch_size
        self.skipped = []
        self.n_batches = 0

    def compute_loss(self, mols):
        x, adj, owner, y = collate(mols)
        pred = self.model(x, adj, owner)
        err = (pred - y).abs()
        if not torch.isfinite(err).all():
            raise BadBatch(f"{int((~torch.isfinite(err)).sum())} non-finite targets")
        return err.mean()

    def run_epoch(self, mols):
        order = torch.randperm(len(mols)).tolist()
        losses = []
        for s in range(0, len(order), self.batch_size):
            self.n_batches += 1
            try:
                loss = self.compute_loss([mols[i] for i in order[s:s + self.batch_size]])
            except BadBatch as e:
                self.skipped.append((self.n_batches, e))  # <- culprit
                continue
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            losses.append(loss.item())
        return sum(losses) / len(losses)
