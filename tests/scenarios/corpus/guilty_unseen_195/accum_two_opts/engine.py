from torch import nn
import torch.nn.functional as F


class Callback:
    def on_step(self, engine, loss):
        pass


class PrintEvery(Callback):
    def __init__(self, every):
        self.every, self.window = every, []

    def on_step(self, engine, loss):
        self.window.append(loss)
        if engine.step_no % self.every == 0:
            print(f"step {engine.step_no} loss {sum(self.window) / len(self.window):.4f}")
            self.window.clear()


class Engine:
    def __init__(self, encoder, head, opt_encoder, opt_head, callbacks=()):
        self.encoder, self.head = encoder, head
        self.opt_encoder, self.opt_head = opt_encoder, opt_head
        self.callbacks = list(callbacks)
        self.step_no = 0

    def train_step(self, tokens, label):
        logits = self.head(self.encoder(tokens))
        loss = F.cross_entropy(logits, label)
        self.opt_head.zero_grad()  # <- culprit
        loss.backward()
        nn.utils.clip_grad_norm_(self.head.parameters(), 1.0)
        self.opt_encoder.step()  # <- culprit
        self.opt_head.step()
        self.step_no += 1
        for cb in self.callbacks:
            cb.on_step(self, loss.item())
