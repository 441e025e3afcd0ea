import torch


def descriptions(n_entities, length, vocab=80):
    gen = torch.Generator().manual_seed(1)
    return torch.randint(vocab, (n_entities, length), generator=gen)


class TripleSampler:
    def __init__(self, entities, relations, batch, steps):
        self.entities, self.relations = entities, relations
        self.batch, self.steps = batch, steps
        self.gen = torch.Generator().manual_seed(2)

    def __iter__(self):
        for _ in range(self.steps):
            head = torch.randint(self.entities, (self.batch,), generator=self.gen)
            rel = torch.randint(self.relations, (self.batch,), generator=self.gen)
            tail = (head * 3 + 7 * rel) % self.entities
            fake = torch.randint(self.entities, (self.batch,), generator=self.gen)
            yield (head, rel, tail), (head, rel, fake)
