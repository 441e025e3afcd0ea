# gradwatch-corpus: kind=graph-held
# holder: self.state.log_history | trainer.state.log_history | state.log_history | self.log_history
# first-bad: 1
# notice: 8
import torch
torch.set_num_threads(1)
from torch import nn

from trainer import Trainer, TrainingArguments


class TabTransformer(nn.Module):
    def __init__(self, cards=(5, 7, 4, 9), d=16, cont=3):
        super().__init__()
        self.emb = nn.ModuleList(nn.Embedding(c, d) for c in cards)
        self.enc = nn.TransformerEncoderLayer(d, 2, 32, dropout=0.0, batch_first=True)
        self.cls = nn.Linear(d * len(cards) + cont, 2)

    def forward(self, cats, conts, labels=None):
        x = torch.stack([e(cats[:, i]) for i, e in enumerate(self.emb)], 1)
        x = self.enc(x).flatten(1)
        logits = self.cls(torch.cat([x, conts], -1))
        out = {"logits": logits}
        if labels is not None:
            out["loss"] = nn.functional.cross_entropy(logits, labels)
        return out


class Adult(torch.utils.data.Dataset):
    def __init__(self, n):
        self.cats = torch.stack([torch.randint(0, c, (n,)) for c in (5, 7, 4, 9)], 1)
        self.conts = torch.randn(n, 3)
        self.labels = ((self.cats[:, 0] > 2) ^ (self.conts[:, 0] > 0)).long()

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return dict(cats=self.cats[i], conts=self.conts[i], labels=self.labels[i])


if __name__ == "__main__":
    torch.manual_seed(0)
    trainer = Trainer(TabTransformer(), TrainingArguments(num_train_epochs=8, learning_rate=1e-3), Adult(1000))
    trainer.train()
    print(trainer.summary())
