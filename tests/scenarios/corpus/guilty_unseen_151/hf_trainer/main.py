# gradwatch-corpus: kind=graph-held
# holder: tr_loss
# first-bad: 1
import torch
from torch import nn
from torch.utils.data import Dataset

from callbacks import EarlyStoppingCallback, PrinterCallback
from trainer import Trainer, TrainingArguments


class ReviewDataset(Dataset):
    def __init__(self, n, vocab=120, length=14):
        g = torch.Generator().manual_seed(5)
        self.ids = torch.randint(1, vocab, (n, length), generator=g)
        self.labels = (self.ids.float().mean(1) > vocab / 2).long()

    def __len__(self):
        return len(self.ids)

    def __getitem__(self, i):
        return {"input_ids": self.ids[i], "labels": self.labels[i]}


class TinyClassifier(nn.Module):
    def __init__(self, vocab=120, hidden=24):
        super().__init__()
        self.embeddings = nn.Embedding(vocab, hidden)
        self.layer = nn.TransformerEncoderLayer(hidden, 2, 48, dropout=0.0, batch_first=True)
        self.classifier = nn.Linear(hidden, 2)

    def forward(self, input_ids, labels=None):
        h = self.layer(self.embeddings(input_ids))
        logits = self.classifier(h.mean(1))
        loss = nn.functional.cross_entropy(logits, labels) if labels is not None else None
        return {"loss": loss, "logits": logits}


if __name__ == "__main__":
    torch.set_num_threads(1)
    args = TrainingArguments(num_train_epochs=3, logging_steps=20)
    torch.manual_seed(args.seed)
    trainer = Trainer(TinyClassifier(), args, train_dataset=ReviewDataset(480), eval_dataset=ReviewDataset(64),
                      callbacks=[PrinterCallback(), EarlyStoppingCallback(patience=5)])
    result = trainer.train()
    print(f"train_loss = {result['train_loss']:.4f} after {result['global_step']} steps")
