import torch
from torch import nn

from corpus import ToyTreebank
from objectives import UndefinedObjective, boundary_contrast, reduce_losses, tag_loss


class Tagger(nn.Module):
    def __init__(self, vocab, tags, dim):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.mix = nn.Conv1d(dim, dim, 3, padding=1)
        self.out = nn.Linear(dim, tags)

    def forward(self, words):
        hidden = torch.relu(self.mix(self.emb(words).transpose(1, 2))).transpose(1, 2)
        return self.out(hidden), hidden


class TaggerTrainer:
    def __init__(self, vocab, tags, dim, lr):
        self.bank = ToyTreebank(vocab, tags)
        self.model = Tagger(vocab, tags, dim)
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=lr)
        self.incidents = []

    def auxiliary(self, it, hidden, boundary):
        try:
            return boundary_contrast(hidden, boundary)
        except UndefinedObjective as err:
            err.iteration = it
            self.incidents.append(err)  # <- culprit
            return None

    def fit_batch(self, it):
        words, tags, boundary = self.bank.batch(it)
        scores, hidden = self.model(words)
        parts = {"tag": tag_loss(scores, tags)}
        aux = self.auxiliary(it, hidden, boundary)
        if aux is not None:
            parts["boundary"] = 0.1 * aux

        loss = reduce_losses(parts)
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        self.opt.step()
        return loss.item()

    def incident_report(self, limit):
        yield f"{len(self.incidents)} batches without the auxiliary loss"
        for err in self.incidents[-limit:]:
            yield f"iteration {err.iteration}: {type(err).__name__}: {err}"
