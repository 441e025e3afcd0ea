import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class PairBlock(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.row = nn.Conv2d(dim, dim, (1, 3), padding=(0, 1))
        self.col = nn.Conv2d(dim, dim, (3, 1), padding=(1, 0))

    def forward(self, z):
        return z + torch.relu(self.row(z)) + torch.relu(self.col(z))


class ContactNet(nn.Module):
    def __init__(self, alphabet=20, dim=16, blocks=2, use_checkpoint=False):
        super().__init__()
        self.left = nn.Embedding(alphabet, dim)
        self.right = nn.Embedding(alphabet, dim)
        self.blocks = nn.ModuleList(PairBlock(dim) for _ in range(blocks))
        self.out = nn.Conv2d(dim, 1, 1)
        self.use_checkpoint = use_checkpoint

    def forward(self, seq):
        z = self.left(seq)[:, :, None] * self.right(seq)[:, None]
        z = z.permute(0, 3, 1, 2)
        for block in self.blocks:
            if self.use_checkpoint and self.training and torch.is_grad_enabled():
                z = checkpoint(block, z, use_reentrant=False)
            else:
                z = block(z)
        logits = self.out(z).squeeze(1)
        return 0.5 * (logits + logits.transpose(1, 2))
