# gradwatch-corpus: kind=graph-held
# holder: self.heap | hard.heap | heap | HardExamples.heap
# first-bad: 1
import torch
from torch import nn
import torch.nn.functional as F

from callbacks import CallbackList, EpochPrinter, HardExamples, WarmupLR

torch.set_num_threads(1)
torch.manual_seed(12)
VOCAB, TAGS, LEN = 50, 6, 9


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, 16)
        self.conv = nn.Conv1d(16, 32, 3, padding=1)
        self.out = nn.Linear(32, TAGS)

    def forward(self, tokens):
        h = torch.relu(self.conv(self.emb(tokens).transpose(1, 2))).transpose(1, 2)
        return self.out(h)


class Trainer:
    def __init__(self, model, callbacks):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=5e-3)
        self.cb = CallbackList(callbacks)

    def step(self, tokens, tags):
        logits = self.model(tokens)
        ce = F.cross_entropy(logits.transpose(1, 2), tags, reduction="none")
        per_sentence = ce.mean(1)
        loss = per_sentence.mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return {"loss": loss, "per_sentence": per_sentence, "tokens": tokens}  # <- culprit

    def fit(self, loader, epochs):
        self.cb.on_train_begin(self)
        for epoch in range(epochs):
            for tokens, tags in loader():
                logs = self.step(tokens, tags)
                self.cb.on_batch_end(self, logs)
            self.cb.on_epoch_end(self, epoch)


tokens = torch.randint(0, VOCAB, (480, LEN))
tags = (tokens + tokens.roll(1, 1)) % TAGS


def loader():
    for idx in torch.randperm(len(tokens)).split(24):
        yield tokens[idx], tags[idx]


hard = HardExamples()
Trainer(Tagger(), [WarmupLR(15), EpochPrinter(), hard]).fit(loader, 5)
print("mean loss of the hardest sentences", hard.report())
