import torch
import torch.nn.functional as F


class HardRound(torch.autograd.Function):
    """round to 1/8, straight through. keeps its output the official way"""

    @staticmethod
    def forward(ctx, x):
        out = torch.round(x * 8) / 8
        ctx.save_for_backward(out)
        ctx.n = x.numel()
        return out

    @staticmethod
    def backward(ctx, g):
        out, = ctx.saved_tensors
        return g * (out != 0).float()


hard_round = HardRound.apply


class CrossBatchMemory:
    def __init__(self, size):
        self.size = size
        self.k, self.y = None, None

    def __len__(self):
        return 0 if self.k is None else self.k.size(0)

    def push(self, emb, y):
        emb = emb.detach()
        if self.k is None:
            self.k, self.y = emb, y
        else:
            self.k = torch.cat([self.k, emb])[-self.size:]
            self.y = torch.cat([self.y, y])[-self.size:]

    def contrast(self, emb, y, tau=0.2):
        sim = emb @ self.k.T / tau
        pos = (y[:, None] == self.y[None]).float()
        logp = F.log_softmax(sim, 1)
        return -(logp * pos).sum(1).div(pos.sum(1).clamp(min=1)).mean()
