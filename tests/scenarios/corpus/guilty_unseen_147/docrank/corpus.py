import torch


class Corpus:
    def __init__(self, docs: int, vocab: int, length: int) -> None:
        self.vocab = vocab
        self.tokens = torch.randint(vocab, (docs, length))
        self.relevance = torch.rand(docs)

    def __len__(self) -> int:
        return len(self.tokens)

    def slates(self, size: int):
        order = torch.randperm(len(self)).tolist()
        for i in range(0, len(order), size):
            yield order[i:i + size]
