# gradwatch-corpus: kind=grads-accumulate
# first-bad: 1
import torch
from torch import nn

from engine import Engine, PrintEvery


class BagEncoder(nn.Module):
    def __init__(self, vocab, dim, hidden):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.attn = nn.Linear(dim, 1)
        self.ff = nn.Sequential(nn.Linear(dim, hidden), nn.Tanh())

    def forward(self, tokens):
        e = self.emb(tokens)
        w = self.attn(e).softmax(1)
        return self.ff((w * e).sum(1))


class TopicCorpus:
    def __init__(self, vocab=80, topics=5, seed=0):
        self.gen = torch.Generator().manual_seed(seed)
        self.word_given_topic = (2.5 * torch.randn(topics, vocab, generator=self.gen)).softmax(1)

    def batch(self, n, length=12):
        label = torch.randint(0, self.word_given_topic.size(0), (n,), generator=self.gen)
        tokens = torch.multinomial(self.word_given_topic[label], length, replacement=True, generator=self.gen)
        return tokens, label


def split_decay(module, weight_decay):
    decay = [p for p in module.parameters() if p.dim() > 1]
    rest = [p for p in module.parameters() if p.dim() <= 1]
    return [{"params": decay, "weight_decay": weight_decay}, {"params": rest, "weight_decay": 0.0}]


def main(steps=600):
    torch.manual_seed(0)
    corpus = TopicCorpus()
    encoder, head = BagEncoder(80, 16, 24), nn.Linear(24, 5)
    opt_encoder = torch.optim.AdamW(split_decay(encoder, 0.01), lr=5e-4)
    opt_head = torch.optim.SGD(head.parameters(), lr=0.1, momentum=0.9)
    engine = Engine(encoder, head, opt_encoder, opt_head, [PrintEvery(100)])
    for _ in range(steps):
        engine.train_step(*corpus.batch(32))
    encoder.eval()
    with torch.no_grad():
        tokens, label = corpus.batch(400)
        acc = (head(encoder(tokens)).argmax(-1) == label).float().mean().item()
    print(f"held-out accuracy {acc:.3f}")


if __name__ == "__main__":
    main()
