import torch


class ProjectionLog:
    """All the embeddings of every few updates, for a t-SNE film afterwards."""

    def __init__(self, every):
        self.every = every
        self.frames = []

    def maybe(self, step, emb, species):
        if step % self.every == 0:
            self.frames.append((step, emb.detach().clone(), species))

    def separation(self):
        _, e, s = self.frames[-1]
        sim = e @ e.t()
        same = s[:, None] == s[None, :]
        same.fill_diagonal_(False)
        diff = s[:, None] != s[None, :]
        return (sim[same].mean() - sim[diff].mean()).item() if same.any() else 0.0
