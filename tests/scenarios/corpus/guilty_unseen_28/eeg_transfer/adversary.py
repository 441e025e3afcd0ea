import torch
import torch.nn.functional as F


class ReverseGrad(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, lam):
        ctx.lam = lam
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return -ctx.lam * grad, None


class AdversarialAlignment:
    """Adds the gradient of the domain confusion after a warm-up."""

    def __init__(self, critic, warmup, total, max_lambda):
        self.critic = critic
        self.warmup = warmup
        self.total = total
        self.max_lambda = max_lambda

    def apply_to(self, feats, n_source, step):
        if step < self.warmup:
            return None
        lam = self.max_lambda * (step - self.warmup) / (self.total - self.warmup)
        domain = torch.zeros(len(feats), 1)
        domain[n_source:] = 1
        logits = self.critic(ReverseGrad.apply(feats, lam))
        loss = F.binary_cross_entropy_with_logits(logits, domain)
        loss.backward()  # <- culprit
        return loss.item()
