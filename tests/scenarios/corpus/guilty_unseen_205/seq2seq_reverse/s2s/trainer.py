import time

import torch
import torch.nn as nn


class Seq2SeqTrainer:
    def __init__(self, model, lr=3e-3, clip=1.0, total_steps=450):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.scheduler = torch.optim.lr_scheduler.OneCycleLR(self.optimizer, lr * 2, total_steps=total_steps)
        self.criterion = nn.CrossEntropyLoss()
        self.clip, self.total_steps = clip, total_steps
        self.plot_losses = []

    def teacher_forcing(self, step):
        return max(0.5, 1.0 - step / self.total_steps)

    def train_batch(self, src, tgt, step):
        self.model.train()
        self.optimizer.zero_grad()
        logits = self.model(src, tgt, self.teacher_forcing(step))
        loss = self.criterion(logits.flatten(0, 1), tgt.flatten())
        loss.backward(retain_graph=True)  # <- culprit
        nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
        self.optimizer.step()
        self.scheduler.step()
        return loss.item()

    def fit(self, batches, print_every=75):
        total, start = 0.0, time.time()
        for step, (src, tgt) in enumerate(batches):
            total += self.train_batch(src, tgt, step)
            if (step + 1) % print_every == 0:
                self.plot_losses.append(total / print_every)
                print(f"{step + 1}: loss {total / print_every:.4f} ({time.time() - start:.1f}s)")
                total = 0.0

    @torch.no_grad()
    def accuracy(self, src, tgt):
        self.model.eval()
        return (self.model(src, tgt, 0.0).argmax(-1) == tgt).float().mean().item()
