import torch
import torch.nn.functional as F


class WindowTrainer:
    """Backpropagates through the node memory over a window of event batches."""

    def __init__(self, model, window, lr):
        self.model, self.window = model, window
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.pending = []

    def batch_loss(self, src, dst):
        neg = torch.randint(self.model.num_nodes // 2, self.model.num_nodes, dst.shape)
        pos_out, neg_out = self.model(src, dst), self.model(src, neg)
        return F.softplus(-pos_out).mean() + F.softplus(neg_out).mean()

    def flush(self):
        if not self.pending:
            return
        loss = torch.stack(self.pending).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.pending = []
        self.model.detach_memory()

    def run(self, batches):
        total = 0.0
        for src, dst, msg in batches:
            loss = self.batch_loss(src, dst)
            self.pending.append(loss)
            total += loss.item()
            self.model.observe(src, dst, msg)
            if len(self.pending) == self.window:
                self.flush()
        self.flush()
        return total / len(batches)
