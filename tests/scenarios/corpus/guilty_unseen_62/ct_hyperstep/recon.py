"""Gradient reconstruction whose step sizes are adapted by hypergradients."""
import torch


class HyperDescent:
    """Descent with one log step size per image block (Baydin et al., 2018).

    At every step the derivative of the current loss with respect to the log
    step sizes used in the previous update tells how these should move. For the
    first ``hold`` steps they are left as they are.
    """

    def __init__(self, image, block, lr0=0.5, hyper_lr=0.02, hold=10):
        self.image = image.clone().requires_grad_()
        self.block = block
        n_blocks = (image.numel() + block - 1) // block
        self.log_lr = torch.full((n_blocks,), lr0).log().requires_grad_()
        self.hyper_lr = hyper_lr
        self.hold = hold
        self.n = 0

    def rates(self):
        return self.log_lr.exp().repeat_interleave(self.block)[:self.image.numel()]

    def adapt(self, loss):
        (h,) = torch.autograd.grad(loss, [self.log_lr], retain_graph=True)
        self.log_lr.data -= self.hyper_lr * h.sign()

    def step(self, objective):
        loss = objective(self.image)
        if self.n > self.hold:
            self.adapt(loss)
        adapting = self.n >= self.hold
        (g,) = torch.autograd.grad(loss, [self.image], create_graph=adapting)  # <- culprit
        if adapting:
            self.image = self.image - self.rates() * g  # <- culprit
        else:
            self.image = (self.image - self.rates() * g).detach().requires_grad_()
        self.n += 1
        return loss.item()
