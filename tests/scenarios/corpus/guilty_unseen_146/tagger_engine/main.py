# gradwatch-corpus: kind=crashed
# first-bad: 14
# notice: 0
import torch
torch.set_num_threads(1)
from engine import train_one_epoch, evaluate
from data import sentences
from model import Tagger

torch.manual_seed(31)
train_data = sentences(14, 6)
val_data = sentences(4, 6)
tagger = Tagger(vocab=20, tags=4)
optimizer = torch.optim.Adam(tagger.parameters(), lr=0.01)
best = 0
for epoch in range(10):
    tl = train_one_epoch(tagger, optimizer, train_data)
    acc = evaluate(tagger, val_data)
    best = max(best, acc)
    print(f"epoch {epoch} train {tl:.3f} val acc {acc:.3f}")
