# gradwatch-corpus: kind=second-backward
# holder: self.states | reader.states | reader.states[0] | self.states[0]
# first-bad: 121
import argparse

import torch
from torch import nn, optim
from torch.nn import functional as F

parser = argparse.ArgumentParser(description="Topic tracking with a recurrent reader")
parser.add_argument("--vocab", type=int, default=300)
parser.add_argument("--dim", type=int, default=96)
parser.add_argument("--n_topics", type=int, default=12)
parser.add_argument("--chunk", type=int, default=24)
parser.add_argument("--batch", type=int, default=16)
parser.add_argument("--lr", type=float, default=2e-3)
parser.add_argument("--seed", type=int, default=11)
args = parser.parse_args()

torch.manual_seed(args.seed)


class Reader(nn.Module):
    """Reads a document chunk by chunk and attends to the states of the chunks
    it has read before."""

    def __init__(self, args):
        super().__init__()
        self.emb = nn.Embedding(args.vocab, args.dim)
        self.cell = nn.GRUCell(args.dim, args.dim)
        self.key = nn.Linear(args.dim, args.dim, bias=False)
        self.out = nn.Linear(2 * args.dim, args.n_topics)
        self.states = []

    def new_document(self):
        self.states = []

    def attend(self, h):
        memory = torch.stack(self.states + [h], dim=1)
        score = (self.key(memory) * h.unsqueeze(1)).sum(-1) / memory.size(-1) ** 0.5
        alpha = F.softmax(score, dim=1)
        return (alpha.unsqueeze(-1) * memory).sum(1)

    def forward(self, tokens):
        h = tokens.new_zeros(tokens.size(0), self.cell.hidden_size, dtype=torch.float)
        for t in range(tokens.size(1)):
            h = self.cell(self.emb(tokens[:, t]), h)
        context = self.attend(h)
        self.states.append(h)  # <- culprit
        return self.out(torch.cat([h, context], dim=-1))


def sample_documents(args, n_chunks):
    topics = torch.randint(args.n_topics, (args.batch,))
    width = args.vocab // args.n_topics
    own = topics.unsqueeze(1) * width + torch.randint(width, (args.batch, n_chunks * args.chunk))
    noise = torch.randint(args.vocab, own.shape)
    docs = torch.where(torch.rand(own.shape) < 0.25, own, noise)
    return docs, topics


# curriculum: (number of chunks in a document, number of documents batches)
schedule = [(1, 120), (2, 40), (4, 20)]

reader = Reader(args)
optimizer = optim.RMSprop(reader.parameters(), lr=args.lr)
criterion = nn.CrossEntropyLoss()


def run_document(docs, topics, train=True):
    reader.new_document()
    correct = 0
    losses = []
    for chunk in docs.split(args.chunk, dim=1):
        logits = reader(chunk)
        loss = criterion(logits, topics)
        if train:
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
            optimizer.step()
        losses.append(loss.item())
        correct = (logits.argmax(-1) == topics).float().mean().item()
    return sum(losses) / len(losses), correct


for n_chunks, n_batches in schedule:
    print("== documents of %d chunk(s)" % n_chunks)
    avg_loss, avg_acc = 0.0, 0.0
    for i in range(n_batches):
        docs, topics = sample_documents(args, n_chunks)
        l, a = run_document(docs, topics)
        avg_loss = l if i == 0 else 0.95 * avg_loss + 0.05 * l
        avg_acc = a if i == 0 else 0.95 * avg_acc + 0.05 * a
        if (i + 1) % 20 == 0:
            print("batch %4d | loss %.4f | acc of the last chunk %.3f" % (i + 1, avg_loss, avg_acc))
    reader.eval()
    with torch.no_grad():
        l, a = run_document(*sample_documents(args, n_chunks), train=False)
    print("dev loss %.4f acc %.3f" % (l, a))
    reader.train()
