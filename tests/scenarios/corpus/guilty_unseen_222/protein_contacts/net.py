import torch
import torch.nn.functional as F
from torch import Tensor, nn


class ContactNet(nn.Module):
    def __init__(self, alphabet: int, dim: int) -> None:
        super().__init__()
        self.embed = nn.Embedding(alphabet, dim)
        self.attn = nn.MultiheadAttention(dim, 2, batch_first=True)
        self.left = nn.Linear(dim, dim)
        self.right = nn.Linear(dim, dim)
        self.refine = nn.Conv2d(1, 4, 3, padding=1)
        self.out = nn.Conv2d(4, 1, 1)

    def forward(self, seq: Tensor) -> Tensor:
        h = self.embed(seq)
        h = h + self.attn(h, h, h, need_weights=False)[0]
        pair = torch.einsum("bid,bjd->bij", self.left(h), self.right(h)) / h.shape[-1] ** 0.5
        pair = 0.5 * (pair + pair.transpose(1, 2))
        return pair + self.out(F.relu(self.refine(pair[:, None]))).squeeze(1)


def contact_loss(logits: Tensor, contacts: Tensor) -> tuple[Tensor, float]:
    weight = torch.where(contacts > 0, 4.0, 1.0)
    loss = F.binary_cross_entropy_with_logits(logits, contacts, weight=weight)
    top = logits.detach().flatten(1).topk(logits.shape[-1], dim=1).indices
    precision = contacts.flatten(1).gather(1, top).mean().item()
    return loss, precision
