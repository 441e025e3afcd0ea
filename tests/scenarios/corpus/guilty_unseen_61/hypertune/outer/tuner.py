"""Gradient descent on log hyper-parameters."""
import torch


class HyperTuner:
    def __init__(self, inner, hyper_lr):
        self.inner = inner
        self.log_lr = torch.tensor(-2.3, requires_grad=True)
        self.log_decay = torch.tensor(-7.0, requires_grad=True)
        self.opt = torch.optim.Adam([self.log_lr, self.log_decay], lr=hyper_lr)

    def current(self):
        return {"lr": self.log_lr.exp().item(), "decay": self.log_decay.exp().item()}

    def step(self, train, val):
        """One inner update followed by one hyper-parameter update."""
        self.inner.advance(*train, lr=self.log_lr.exp(), decay=self.log_decay.exp())
        val_loss = self.inner.loss(*val)
        self.opt.zero_grad()
        val_loss.backward(retain_graph=True)  # <- culprit
        torch.nn.utils.clip_grad_value_([self.log_lr, self.log_decay], 1.0)
        self.opt.step()
        return val_loss.item()
