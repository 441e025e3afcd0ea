"""Embeddings of recent batches (Wang et al., 2020), oldest out first."""
import torch


class CrossBatchMemory:
    def __init__(self, capacity, dim):
        self.capacity = capacity
        self.embedding, self.group = torch.zeros(0, dim), torch.zeros(0, dtype=torch.long)

    def __len__(self):
        return len(self.group)

    def push(self, embedding, group):
        self.embedding = torch.cat([embedding.detach(), self.embedding])[:self.capacity]
        self.group = torch.cat([group, self.group])[:self.capacity]
