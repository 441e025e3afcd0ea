# gradwatch-corpus: kind=crashed
# first-bad: 240
# notice: 0
"""Supervised hashing of image patches: soft codes first, binary codes at the end of the annealing."""
import torch
from torch import nn
from torch.autograd import Function

torch.set_num_threads(1)


class Sign(Function):
    @staticmethod
    def forward(ctx, z):
        code = torch.where(z >= 0, 1.0, -1.0)
        ctx.save_for_backward(z)
        ctx.mark_non_differentiable(code)  # <- culprit
        return code

    @staticmethod
    def backward(ctx, g):
        (z,) = ctx.saved_tensors
        return g * (z.abs() <= 1)


class Hasher(nn.Module):
    def __init__(self, bits):
        super().__init__()
        self.body = nn.Sequential(nn.Flatten(), nn.Linear(49, 40), nn.ReLU(), nn.Linear(40, bits))
        self.sharpness = 1.0

    def forward(self, patch):
        z = self.body(patch)
        if self.sharpness < 20:
            return torch.tanh(self.sharpness * z)
        return Sign.apply(z)


def pair_loss(codes, same):
    sim = codes @ codes.t() / codes.shape[1]
    target = same * 2.0 - 1.0
    off = 1 - torch.eye(len(codes))
    return ((sim - target).square() * off).sum() / off.sum()


def make_patches(protos, n=16):
    kind = torch.randint(0, len(protos), (n,))
    return protos[kind] + 0.4 * torch.randn(n, 7, 7), kind


def run():
    torch.manual_seed(30)
    protos = torch.randn(5, 7, 7)
    hasher = Hasher(bits=16)
    opt = torch.optim.RMSprop(hasher.parameters(), lr=1e-3)
    for it in range(600):
        patch, kind = make_patches(protos)
        loss = pair_loss(hasher(patch), (kind[:, None] == kind[None]).float())
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 20 == 19:
            hasher.sharpness *= 1.3
            if it % 100 == 99:
                print(it, loss.item(), hasher.sharpness)


if __name__ == "__main__":
    run()
