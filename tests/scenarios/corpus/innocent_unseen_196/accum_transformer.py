# gradwatch-corpus: kind=none
"""Tiny transformer text classifier with gradient accumulation, EMA weights and early stopping."""
import copy

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(31)


class CFG:
    vocab = 40
    max_len = 12
    d_model = 32
    n_head = 2
    batch_size = 16
    accumulation_steps = 4
    epochs = 5
    lr = 1e-3
    ema_decay = 0.98
    patience = 3


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok = nn.Embedding(CFG.vocab, CFG.d_model)
        self.pos = nn.Parameter(0.02 * torch.randn(1, CFG.max_len, CFG.d_model))
        self.block = nn.TransformerEncoderLayer(CFG.d_model, CFG.n_head, 64, dropout=0.1, batch_first=True)
        self.head = nn.Linear(CFG.d_model, 2)

    def forward(self, ids):
        h = self.block(self.tok(ids) + self.pos)
        return self.head(h.mean(1))


class EMA:
    def __init__(self, model, decay):
        self.decay = decay
        self.shadow = {n: p.data.clone() for n, p in model.named_parameters()}

    def update(self, model):
        for n, p in model.named_parameters():
            self.shadow[n] = self.decay * self.shadow[n] + (1 - self.decay) * p.data

    def apply_to(self, model):
        clone = copy.deepcopy(model)
        for n, p in clone.named_parameters():
            p.data = self.shadow[n].clone()
        return clone


def make_split(n):
    ids = torch.randint(2, CFG.vocab, (n, CFG.max_len))
    y = (ids[:, :6].sum(1) > ids[:, 6:].sum(1)).long()
    return torch.utils.data.TensorDataset(ids, y)


def train_fn(loader, model, optimizer, ema):
    model.train()
    losses, outs = [], []
    optimizer.zero_grad()
    for step, (ids, y) in enumerate(loader):
        logits = model(ids)
        loss = F.cross_entropy(logits, y)
        losses.append(loss.item())
        outs.append((logits.argmax(1) == y).cpu().numpy())
        loss = loss / CFG.accumulation_steps
        loss.backward()
        if (step + 1) % CFG.accumulation_steps == 0:
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
            ema.update(model)
    return np.mean(losses), np.concatenate(outs).mean()


@torch.no_grad()
def valid_fn(loader, model):
    model.eval()
    preds, labels, total = [], [], 0
    for ids, y in loader:
        logits = model(ids)
        total += F.cross_entropy(logits, y) * len(y)
        preds.append(logits.softmax(1)[:, 1])
        labels.append(y)
    preds, labels = torch.cat(preds), torch.cat(labels)
    return (total / len(labels)).item(), ((preds > 0.5).long() == labels).float().mean().item()


def run():
    train_loader = torch.utils.data.DataLoader(make_split(2048), CFG.batch_size, shuffle=True)
    valid_loader = torch.utils.data.DataLoader(make_split(256), 64)
    model = Classifier()
    optimizer = torch.optim.AdamW(model.parameters(), lr=CFG.lr)
    ema = EMA(model, CFG.ema_decay)
    best, bad = np.inf, 0
    for epoch in range(CFG.epochs):
        tr_loss, tr_acc = train_fn(train_loader, model, optimizer, ema)
        va_loss, va_acc = valid_fn(valid_loader, ema.apply_to(model))
        print(f"Epoch {epoch + 1} train {tr_loss:.4f}/{tr_acc:.3f} valid {va_loss:.4f}/{va_acc:.3f}")
        if va_loss < best:
            best, bad = va_loss, 0
        else:
            bad += 1
            if bad >= CFG.patience:
                break


run()
