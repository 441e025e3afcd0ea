import torch
from torch.utils.data import Dataset


class TicketDataset(Dataset):
    """Support tickets as token ids; each queue has its own favourite words."""

    def __init__(self, n, seed, length=16, n_queues=4):
        g = torch.Generator().manual_seed(seed)
        self.labels = torch.randint(0, n_queues, (n,), generator=g)
        common = torch.randint(2, 40, (n, length), generator=g)
        topical = 40 + self.labels[:, None] * 10 + torch.randint(0, 10, (n, length), generator=g)
        mask = torch.rand(n, length, generator=g) < 0.25
        self.ids = torch.where(mask, topical, common)
        self.ids[:, 0] = 1

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return {
            "input_ids": self.ids[i],
            "attention_mask": torch.ones_like(self.ids[i]),
            "labels": self.labels[i],
        }
