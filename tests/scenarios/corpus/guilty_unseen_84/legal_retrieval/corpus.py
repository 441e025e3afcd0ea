import torch


class StatuteCorpus:
    def __init__(self, vocab, n_topics, length=12):
        self.g = torch.Generator().manual_seed(99)
        self.length = length
        self.topic_words = torch.softmax(2.0 * torch.randn(n_topics, vocab, generator=self.g), -1)

    def batch(self, n):
        topic = torch.randint(len(self.topic_words), (n,), generator=self.g)
        draw = lambda: torch.multinomial(self.topic_words[topic], self.length, generator=self.g)
        return {"query": draw(), "clause": draw(), "topic": topic}
