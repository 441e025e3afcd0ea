import torch
from torch import Tensor


def sample_chains(batch: int, length: int) -> tuple[Tensor, Tensor]:
    seq = torch.randint(20, (batch, length))
    charge = (seq % 5).float() - 2
    pair = charge[:, :, None] * charge[:, None, :]
    sep = (torch.arange(length)[:, None] - torch.arange(length)[None]).abs()
    contacts = ((pair < -1.5) & (sep > 3)).float()
    return seq, contacts
