# gradwatch-corpus: kind=none
import torch
import torch.nn as nn
import torch.nn.functional as F


class CrossBatchMemory(nn.Module):
    """Contrastive loss against the current batch and a ring of past embeddings."""

    def __init__(self, dim, size, margin=0.4):
        super().__init__()
        self.margin = margin
        self.register_buffer("bank", torch.zeros(size, dim))
        self.register_buffer("bank_labels", torch.full((size,), -1))
        self.ptr, self.filled = 0, 0

    def enqueue(self, emb, labels):
        n = len(emb)
        idx = (self.ptr + torch.arange(n)) % len(self.bank)
        self.bank[idx] = emb.detach()
        self.bank_labels[idx] = labels
        self.ptr = (self.ptr + n) % len(self.bank)
        self.filled = min(self.filled + n, len(self.bank))

    def pair_loss(self, a, la, b, lb, skip_diag):
        sim = a @ b.t()
        same = la.unsqueeze(1) == lb.unsqueeze(0)
        pos = same.clone()
        if skip_diag:
            pos.fill_diagonal_(False)
        neg = ~same & (sim.detach() > self.margin)
        loss = ((1 - sim) * pos).sum() / pos.sum().clamp(min=1)
        return loss + ((sim - self.margin) * neg).sum() / neg.sum().clamp(min=1)

    def forward(self, emb, labels):
        loss = self.pair_loss(emb, labels, emb, labels, True)
        if self.filled:
            past, lp = self.bank[:self.filled].clone(), self.bank_labels[:self.filled]
            loss = loss + self.pair_loss(emb, labels, past, lp, False)
        self.enqueue(emb, labels)
        return loss


class Embedder(nn.Module):
    def __init__(self, n_in, dim):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_in, 48), nn.BatchNorm1d(48), nn.ReLU(), nn.Linear(48, dim))
        self.activations = {}
        self.body[0].register_forward_hook(self._remember)

    def _remember(self, module, args, out):
        self.activations["hidden"] = out

    def sparsity(self):
        return (self.activations["hidden"].detach() < 0).float().mean().item()

    def forward(self, x):
        return F.normalize(self.body(x), dim=1)


class ClassCentres:
    def __init__(self, momentum=0.9):
        self.momentum, self.centres = momentum, {}

    def update(self, emb, labels):
        emb = emb.detach()
        for c in labels.unique().tolist():
            m = emb[labels == c].mean(0)
            old = self.centres.get(c)
            self.centres[c] = m if old is None else self.momentum * old + (1 - self.momentum) * m

    def spread(self):
        c = F.normalize(torch.stack(list(self.centres.values())), dim=1)
        return (c @ c.t()).triu(1).abs().max().item()


def main(steps=420, batch=24, classes=8):
    torch.manual_seed(19)
    protos = torch.randn(classes, 20)
    model, criterion, centres = Embedder(20, 12), CrossBatchMemory(12, 240), ClassCentres()
    opt = torch.optim.AdamW(model.parameters(), 1e-3)
    losses = torch.zeros(steps)
    for i in range(steps):
        y = torch.randint(classes, (batch,))
        emb = model(protos[y] + 0.8 * torch.randn(batch, 20))
        loss = criterion(emb, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        centres.update(emb, y)
        losses[i] = loss.item()
        if i % 100 == 99:
            print(i + 1, f"{losses[i - 99:i + 1].mean().item():.4f} spread {centres.spread():.3f} "
                         f"sparsity {model.sparsity():.3f}")


if __name__ == "__main__":
    main()
