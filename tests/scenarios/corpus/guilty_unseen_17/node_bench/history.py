"""Embeddings of earlier mini-batches, for the neighbours that are not in the batch."""
import torch


class History(torch.nn.Module):
    def __init__(self, num_embeddings, embedding_dim):
        super().__init__()
        self.register_buffer("emb", torch.zeros(num_embeddings, embedding_dim), persistent=False)
        self.register_buffer("age", torch.zeros(num_embeddings, dtype=torch.long), persistent=False)

    def reset_parameters(self):
        self.emb = torch.zeros_like(self.emb)
        self.age.zero_()

    def pull(self):
        return self.emb

    def push(self, n_id, x):
        self.emb = self.emb.index_copy(0, n_id, x)  # <- culprit
        self.age += 1
        self.age[n_id] = 0

    def mean_age(self):
        return self.age.float().mean().item()
