# gradwatch-corpus: kind=none
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint, checkpoint_sequential

torch.set_num_threads(1)
torch.manual_seed(180)


class Mixer(nn.Module):
    def __init__(self, tokens, dim):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.tok, self.chan = nn.Linear(tokens, tokens), nn.Linear(dim, dim)

    def forward(self, x):
        x = x + self.tok(self.n1(x).transpose(1, 2)).transpose(1, 2)
        return x + nn.functional.gelu(self.chan(self.n2(x)))


class CellCounter(nn.Module):
    """Counts cells in a strip of a flow-cytometry image, memory-frugal."""

    def __init__(self, tokens=6, dim=8):
        super().__init__()
        self.embed = nn.Linear(4, dim)
        self.blocks = nn.Sequential(*(Mixer(tokens, dim) for _ in range(4)))
        self.read = nn.Linear(dim, 1)

    def forward(self, strip):
        x = self.embed(strip)
        x = checkpoint_sequential(self.blocks, 2, x, use_reentrant=False)
        return checkpoint(lambda z: self.read(z).squeeze(-1).sum(-1), x, use_reentrant=False)


def strips(n=10):
    count = torch.poisson(torch.full((n, 6), 0.8))
    return count[..., None] * torch.tensor([1.0, 0.5, -0.3, 0.2]) + 0.1 * torch.randn(n, 6, 4), count.sum(1)


model = CellCounter()
opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
epoch_sum = torch.zeros(())
for step in range(1, 481):
    strip, count = strips()
    with torch.autocast("cpu", torch.bfloat16):
        guess = model(strip)
    loss = nn.functional.smooth_l1_loss(guess.float(), count)
    opt.zero_grad()
    loss.backward()
    opt.step()
    epoch_sum += loss.detach()
    if step % 120 == 0:
        print(step, epoch_sum.item() / 120)
        epoch_sum.zero_()
