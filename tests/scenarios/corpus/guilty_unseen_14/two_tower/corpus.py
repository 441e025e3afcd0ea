import torch


class BagSampler:
    """Every document has a topic and a few private tokens; its query shares some of both."""

    def __init__(self, vocab, topics, batch, seed):
        self.vocab, self.batch = vocab, batch
        self.gen = torch.Generator().manual_seed(seed)
        self.topic_tokens = torch.randint(vocab, (topics, 20), generator=self.gen)

    def draw(self):
        topic = torch.randint(len(self.topic_tokens), (self.batch,), generator=self.gen)
        pick = torch.randint(20, (self.batch, 6), generator=self.gen)
        common = self.topic_tokens[topic].gather(1, pick)
        private = torch.randint(self.vocab, (self.batch, 3), generator=self.gen)
        noise = torch.randint(self.vocab, (self.batch, 2), generator=self.gen)
        docs = torch.cat((common, private), 1)
        queries = torch.cat((common[:, :3], private[:, :2], noise), 1)
        return queries, docs
