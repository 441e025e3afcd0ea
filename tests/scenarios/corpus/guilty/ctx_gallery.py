# gradwatch-corpus: kind=graph-held
# holder: GALLERY | GALLERY["sign"]
# about: a custom Function leaves its ctx in a module-level gallery; a ctx is the node itself
import torch
from torch import nn

GALLERY = []


class SignSTE(torch.autograd.Function):
    """Binarises forward, passes the gradient straight through where it is small."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.sparsity = (x.abs() > 1).float().mean().item()
        GALLERY.append(ctx)  # <- culprit
        return x.sign()

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * (x.abs() <= 1)


class BinaryNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(16, 32)
        self.fc2 = nn.Linear(32, 4)

    def forward(self, x):
        return self.fc2(SignSTE.apply(self.fc1(x)))


def train():
    torch.manual_seed(0)
    net = BinaryNet()
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    for step in range(60):
        x = torch.randn(8, 16)
        loss = nn.functional.cross_entropy(net(x), x[:, :4].argmax(1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 20 == 0:
            print(step, round(loss.item(), 4), GALLERY[-1].sparsity)


train()
